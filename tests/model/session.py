"""What happens to a table, taken by the model and by the product side by side."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.model.config import Config
from tests.model.product import REASONS, Product
from tests.model.state import Args, Data
from tests.model.table import Frame, Model
from tests.model.telling import POLICIES

TRIES = 400
"""How often a history is tried shorter."""


@dataclass(frozen=True)
class Shoe:
    """A frame of the shoe, at `at` microseconds."""

    at: int
    frame: Frame


@dataclass(frozen=True)
class Order:
    """A command."""

    at: int
    verb: str
    actor: str
    args: Args


@dataclass(frozen=True)
class Cable:
    """The cable goes `down` or comes `up`."""

    at: int
    state: str


@dataclass(frozen=True)
class Wait:
    """Nothing happens until `at`."""

    at: int


@dataclass(frozen=True)
class Power:
    """The daemon has `started` again, or has `stopped` in good order."""

    at: int
    state: str


Action = Shoe | Order | Cable | Wait | Power


class DifferentError(AssertionError):
    """Model and product tell a step differently."""

    def __init__(self, policy: str, model: Data | None, product: Data | None) -> None:
        super().__init__(f"{policy}\n  model:   {_short(model)}\n  product: {_short(product)}")
        self.kind = (_kind(model), _kind(product), tuple(_fields(model, product)))


class Session:
    """A table under both accounts and both policies."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.actions: list[Action] = []
        self.model = Model(config)
        self.products = {policy: Product(config, policy) for policy in POLICIES}
        self.told: list[Data] = []
        if config.opened:
            self.model.start()
            self._compare({policy: product.start() for policy, product in self.products.items()})

    def step(self, action: Action) -> list[Data]:
        """Both take `action`; what was told under delayed. Raises DifferentError."""
        self.actions.append(action)
        at, model = action.at, self.model
        match action:
            case Shoe(frame=frame):
                model.frame(at, frame)
                got = {name: one.rx(at, frame.raw + b"\r\n") for name, one in self.products.items()}
            case Order(verb=verb, actor=actor, args=args):
                model.command(at, verb, actor, args)
                got = {name: one.command(at, verb, actor, args) for name, one in self.products.items()}
            case Cable(state=state):
                model.linked(at, state)
                got = {name: one.link(at, state) for name, one in self.products.items()}
            case Power(state=state):
                model.service(at, state)
                got = {name: one.service(at, state) for name, one in self.products.items()}
            case Wait():
                model.advance_to(at)
                got = {name: one.advance(at) for name, one in self.products.items()}
        return self._compare(got)

    def _compare(self, got: dict[str, list[Data]]) -> list[Data]:
        told = self.model.take()
        for policy in POLICIES:
            if told[policy] == got[policy]:
                continue
            ours: list[Data | None] = [*told[policy], None]
            theirs: list[Data | None] = [*got[policy], None]
            for model, product in zip(ours, theirs, strict=False):
                if model != product:
                    raise DifferentError(policy, model, product)
        return told[POLICIES[0]]


def difference(config: Config, actions: Sequence[Action]) -> DifferentError | None:
    """How model and product differ over `actions`."""
    session = Session(config)
    for action in actions:
        try:
            session.step(action)
        except DifferentError as found:
            return found
    return None


def shrunk(config: Config, actions: Sequence[Action], found: DifferentError) -> list[Action]:
    """As few of `actions` as still differ like `found`."""
    kept = list(actions)
    size = max(1, len(kept) // 2)
    tries = 0
    while True:
        place, smaller = 0, False
        while place < len(kept):
            trial = kept[:place] + kept[place + size :]
            tries += 1
            if tries > TRIES:
                return kept
            again = difference(config, trial)
            if again is not None and again.kind == found.kind:
                kept, smaller = trial, True
            else:
                place += size
        if size == 1 and not smaller:
            return kept
        size = max(1, size // 2)


def capture(config: Config, actions: Sequence[Action]) -> str:
    """The capture of `actions`, as `replay` reads it (a Config may say more than its first line can)."""
    first: dict[str, Any] = {
        "t": 0,
        "profile": "beetek-rs232",
        "rules": config.rules,
        "procedure": config.procedure,
        "decks": config.decks,
        "settle_s": config.settle_s,
        "betting_opens": config.betting_opens,
        "min_gap_ms": config.min_gap_ms,
        "others": sorted(config.others),
        "two_persons": sorted(config.two_persons),
        "attest": config.attest,
        "main_floor": config.main_floor,
        "open": config.opened,
    }
    return "\n".join(json.dumps(line) for line in (first, *map(_line, actions)))


def _line(action: Action) -> dict[str, Any]:
    t = action.at / 1_000_000
    match action:
        case Shoe(frame=frame):
            return {"t": t, "rx": (frame.raw + b"\r\n").hex(), "#": frame.raw.decode()}
        case Order(verb=verb, actor=actor, args=args):
            return {"t": t, "cmd": {"verb": verb, "actor": actor, "args": args}}
        case Cable(state=state):
            return {"t": t, "link": state}
        case Power(state=state):
            return {"t": t, "service": state, "reason": REASONS[state]}
        case Wait():
            return {"t": t, "rx": ""}


def _kind(message: Data | None) -> str:
    if message is None:
        return "nothing"
    data = message["data"]
    return " ".join(
        [
            message["type"],
            *(str(data[key]) for key in ("verb", "reason", "code", "remedy") if key in data),
        ]
    )


def _fields(model: Data | None, product: Data | None) -> list[str]:
    if model is None or product is None or model["type"] != product["type"]:
        return []
    one, two = {**model, **model["data"]}, {**product, **product["data"]}
    return sorted(
        key
        for key in one.keys() | two.keys()
        if key not in {"data", "seq", "at"} and one.get(key) != two.get(key)
    )


def _short(message: Data | None) -> str:
    if message is None:
        return "nothing"
    head = f"{message['audience']} {message['seq']} {message['shoe']}/{message['coup']} {message['type']}"
    return f"{head} {json.dumps(message['data'])}"
