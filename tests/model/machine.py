"""The stateful test: hypothesis decides, model and product take each step, what they tell is compared."""

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.model.dealing import Dealing, some_config
from tests.model.reached import Reached
from tests.model.session import Action, DifferentError, Session, capture, shrunk

T = TypeVar("T")


class Drawn:
    """Decisions that hypothesis draws."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def pick(self, options: Sequence[T]) -> T:
        """One of `options`."""
        return self.data.draw(st.sampled_from(options))

    def chance(self, share: float) -> bool:
        """Whether it happens."""
        # Of larger ranges hypothesis prefers the small numbers.
        return self.data.draw(st.integers(0, 127)) >= 128 - (max(1, round(share * 128)) if share else 0)

    def whole(self, low: int, high: int) -> int:
        """A whole number."""
        return self.data.draw(st.integers(low, high))


class Tables(RuleBasedStateMachine):
    """A table under both accounts. What all its runs reached is counted in `reached`."""

    reached = Reached()
    captures: ClassVar[list[str]] = []

    @initialize(data=st.data())
    def set_up(self, data: st.DataObject) -> None:
        """Choose a table."""
        self.choose = Drawn(data)
        self.session = Session(some_config(self.choose))
        self.dealing = Dealing(self.choose, self.session)

    @rule(data=st.data())
    def anything(self, data: st.DataObject) -> None:
        """A card, a command, a fault, time."""
        self.choose.data = data
        self._step(self.dealing.next())

    @rule(data=st.data())
    def usual(self, data: st.DataObject) -> None:
        """What a dealer does next."""
        self.choose.data = data
        self._step(self.dealing.usual())

    @rule(data=st.data())
    def mischief(self, data: st.DataObject) -> None:
        """What nobody hopes for."""
        self.choose.data = data
        self._step(self.dealing.mischief())

    def _step(self, action: Action) -> None:
        try:
            self.reached.told(self.session.step(action))
        except DifferentError as found:
            found.add_note(self._shortest(found))
            raise

    def _shortest(self, found: DifferentError) -> str:
        """The shortest capture that still differs like `found`; sought once, for it takes a while."""
        if not self.captures:
            config, actions = self.session.config, self.session.actions
            self.captures.append(capture(config, shrunk(config, actions, found)))
        return self.captures[0]


def run(examples: int, steps: int) -> Reached:
    """Deal `examples` tables of up to `steps` steps, the same each time; give what was reached."""

    class Fresh(Tables):
        reached = Reached()
        captures: ClassVar[list[str]] = []

    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=(Phase.generate,),  # a shorter history is sought by `shrunk`, in steps and not in decisions
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Fresh, settings=chosen)
    return Fresh.reached
