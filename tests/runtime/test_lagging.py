"""Which consumers are late, by their cursors and the time."""

from shoe_daemon.runtime.lagging import Lagging

CAGE = ("cage", "cage-1")


def seen(lagging: Lagging, seq: int, top: int, now: float) -> list[tuple[str, str, bool]]:
    return list(lagging.look({CAGE: seq}, {"cage": top}, now))


def test_one_that_follows_at_a_distance_is_never_late() -> None:
    lagging = Lagging(60.0)
    assert [seen(lagging, max(0, now - 5), now, float(now)) for now in range(500)] == [[]] * 500


def test_one_that_stands_still_is_late_after_a_minute_and_told_once() -> None:
    lagging = Lagging(60.0)
    told = {now: found for now in range(300) if (found := seen(lagging, 10, 10 + now, float(now)))}
    assert told == {61: [("cage", "cage-1", True)]}


def test_a_quiet_table_makes_nobody_late() -> None:
    lagging = Lagging(60.0)
    assert [seen(lagging, 10, 10, float(now)) for now in range(300)] == [[]] * 300


def test_one_that_has_caught_up_is_in_time_again() -> None:
    lagging = Lagging(60.0)
    for now in range(100):
        seen(lagging, 0, 50, float(now))
    assert seen(lagging, 49, 50, 101.0) == []
    assert seen(lagging, 50, 50, 102.0) == [("cage", "cage-1", False)]
    assert seen(lagging, 50, 51, 103.0) == []
