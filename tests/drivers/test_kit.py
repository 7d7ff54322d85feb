"""The test kit: good drivers pass every check, and each bad one is caught by the check meant for it."""

from pathlib import Path

import pytest

from drivers import driver_for
from drivers.decoder import ProfileDecoder
from drivers.kit import CHECKS, Make, Outcome, examine
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.runtime.resources import folder, shoe_file
from tests.drivers.bad_drivers import CAUGHT_BY

INVENTED = Path(__file__).parents[1] / "shoes"
PROFILES = sorted([*folder("shoes").glob("*.toml"), *INVENTED.glob("*.toml")])
STAR = INVENTED / "star-lines.toml"
SHARE = ("beetek-rs232", "house-serial", "asked-lines")
"""Profiles tried in the ordinary suite, with less noise; the others in torture."""


def shoe(path: Path) -> ShoeProfile:
    return parse_shoe(*shoe_file(str(path)))


def kit(make: Make, path: Path, *checks: str, seed: int = 7, noise: int = 50_000) -> dict[str, Outcome]:
    capture = path.with_suffix(".capture.jsonl").read_text(encoding="utf-8").splitlines()
    return {one.check: one for one in examine(make, capture, seed, checks, noise)}


@pytest.mark.parametrize(
    "path",
    [one if one.stem in SHARE else pytest.param(one, marks=pytest.mark.torture) for one in PROFILES],
    ids=lambda path: path.stem,
)
def test_every_profile_keeps_all_promises_of_a_driver(path: Path) -> None:
    profile = shoe(path)
    noise = 50_000 if path.stem in SHARE else 1_000_000
    found = kit(lambda: driver_for(profile)(profile), path, noise=noise)
    assert list(found) == list(CHECKS)
    assert {name: one.problems for name, one in found.items() if one.problems} == {}


@pytest.mark.parametrize("driver", CAUGHT_BY, ids=lambda driver: driver.__name__)
def test_a_bad_driver_is_caught_by_the_check_meant_for_it(driver: type[ProfileDecoder]) -> None:
    profile = shoe(STAR)
    found = kit(lambda: driver(profile), STAR, CAUGHT_BY[driver])
    assert found[CAUGHT_BY[driver]].problems


def test_there_is_a_bad_driver_for_every_check() -> None:
    assert set(CAUGHT_BY.values()) == set(CHECKS)


def test_a_driver_that_cannot_read_its_capture_is_asked_no_more() -> None:
    profile = shoe(STAR)
    (driver,) = (one for one in CAUGHT_BY if one.__name__ == "RaisesAtOnce")
    (only,) = kit(lambda: driver(profile), STAR).values()
    assert only.problems[0].startswith("raises NotImplementedError: (b'4S")


def test_what_is_wrong_is_the_same_from_the_same_seed() -> None:
    profile = shoe(STAR)
    (driver,) = (one for one in CAUGHT_BY if one.__name__ == "BelievesInChunks")
    assert kit(lambda: driver(profile), STAR, "chunks", seed=3) == kit(
        lambda: driver(profile), STAR, "chunks", seed=3
    )


def test_a_bad_line_of_a_capture_is_named() -> None:
    profile = shoe(STAR)
    with pytest.raises(ValueError, match="line 2: "):
        list(examine(lambda: ProfileDecoder(profile), ["{}", '{"t": 1, "rx": "0"}'], 7))
