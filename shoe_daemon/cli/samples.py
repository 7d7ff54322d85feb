"""The files of a profile that is tested: its TOML, a capture, and the inputs that are expected of it."""

from pathlib import Path
from typing import Final

import msgspec

from drivers.profile import ShoeProfile, parse_shoe
from drivers.selftest import Row, differences, read
from shoe_daemon.cli.output import refuse
from shoe_daemon.runtime.resources import path_of, shoe_file
from shoe_daemon.schema import ConfigError

_SHOWN: Final = 5
"""Differences told; the rest is counted."""


class Sample(msgspec.Struct, frozen=True):
    """A profile with the lines of its capture and of its expected inputs."""

    profile: ShoeProfile
    source: str
    capture: list[str]
    expected: list[str]
    expected_name: str


def sample(name: str) -> Sample:
    """Read the files of the profile `name`, ours or a path; ends where one cannot be used."""
    path = path_of("shoes", name)
    try:
        data, source, beside = shoe_file(name)
        profile = parse_shoe(data, source, beside)
    except ConfigError as error:
        refuse(str(error))
    capture, expected = path.with_suffix(".capture.jsonl"), path.with_suffix(".expected.jsonl")
    return Sample(profile, source, _lines(capture), _lines(expected), expected.name)


def compared(one: Sample) -> tuple[list[Row], list[str], int]:
    """What is read, where it parts from what is expected in words, and in how many places it does.

    Ends where the capture, the expected inputs or the driver cannot be used.
    """
    try:
        got = read(one.profile, one.capture)
        found = differences(got, one.expected)
    except ConfigError as error:
        refuse(str(error))
    except ValueError as error:
        refuse(f"capture or expected inputs of {one.source}: {error}")
    words = []
    for part in found[:_SHOWN]:
        wanted, have = (side or "no more" for side in (part.expected, part.read))
        words += [f"{one.expected_name}:{part.number}: expected {wanted}", f"  read {have}"]
    return got, words, len(found)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        refuse(f"{path}: {error.strerror}: a profile is tested with a capture and its expected inputs")
    except UnicodeDecodeError as error:
        refuse(f"{path}: byte {error.start + 1} is no UTF-8")
