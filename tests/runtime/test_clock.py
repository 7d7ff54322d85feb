"""The clock runs evenly and notices when the machine's clock is set."""

from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.runtime.clock import STEP_US, Clock

START = 1_800_000_000_000_000_000


class Fake:
    """Two clocks of a machine, nanoseconds."""

    def __init__(self) -> None:
        self.wall = START
        self.monotonic = 5_000

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.monotonic)

    def pass_(self, nanoseconds: int) -> None:
        self.wall += nanoseconds
        self.monotonic += nanoseconds


def test_it_starts_with_the_wall_clock_and_counts_microseconds() -> None:
    fake = Fake()
    clock = fake.clock()
    assert clock.now() == START // 1000
    fake.pass_(2_500_000)
    assert clock.now() == START // 1000 + 2500
    assert clock.stepped() == 0


def test_a_step_is_told_until_it_is_taken_over() -> None:
    for step in (3600 * 10**9, -3600 * 10**9):
        fake = Fake()
        clock = fake.clock()
        fake.pass_(1000)
        before = clock.now()
        fake.wall += step
        assert clock.now() == before
        assert clock.stepped() == clock.stepped() == step // 1000
        assert clock.rebase() == step // 1000
        assert clock.now() == before + step // 1000
        assert clock.stepped() == 0


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(-(10**10), 10**10)), max_size=20))
def test_only_rebase_ever_turns_it_back(moves: list[tuple[int, int]]) -> None:
    fake = Fake()
    clock = fake.clock()
    last = clock.now()
    for passed, set_by in moves:
        fake.pass_(passed)
        fake.wall += set_by
        now = clock.now()
        assert now >= last
        last = now
        ahead = fake.wall // 1000 - now
        assert clock.stepped() == (ahead if abs(ahead) > STEP_US else 0)


def test_the_real_clocks_agree() -> None:
    assert Clock().stepped() == 0
