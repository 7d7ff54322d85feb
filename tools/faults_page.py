"""The page of faults, docs/faults.md: its text from tools/faults_head.md, the rest from the catalogue.

`python -m tools.faults_page` writes it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from drivers.profile import ShoeProfile
from tests.faults.catalogue import CONSEQUENCES, FAULTS, INVENTED, TRANSPORTS, Fault, Place, places
from tests.faults.life import profile_named
from tests.faults.matrix import PROFILES

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "faults.md"


def page() -> str:
    """The whole page."""
    profiles = [profile_named(name) for name in PROFILES]
    head = (ROOT / "tools" / "faults_head.md").read_text(encoding="utf-8")
    head = head.format(consequences=", ".join(map(_word, CONSEQUENCES)))
    return head + "\n" + "\n".join(_body(profiles, list(places(profiles)))) + "\n"


def _body(profiles: list[ShoeProfile], cells: list[Place]) -> Iterator[str]:
    number = {state: sum(one.state == state for one in cells) for state in ("play", "shown", "n/a", "later")}
    whole = len({one.number for one in FAULTS})
    yield (
        f"## {whole} faults, {number['play']} cells played, {number['n/a']} that do not apply,"
        f" {number['later']} not there yet"
    )
    yield ""
    yield (
        f"{len(profiles)} profiles, {len(INVENTED)} of them invented for tests, {len(TRANSPORTS)} transports;"
        f" a fault of the process is one cell, and {number['shown']} of those are shown by tests of their"
        " own. A number with a letter is a part of its fault."
    )
    yield ""
    yield "| fault | | cells played | do not apply | not there yet |"
    yield "|---|---|---|---|---|"
    for fault in FAULTS:
        here = [one for one in cells if one.fault is fault]
        counted = [sum(one.state == state for one in here) or "–" for state in ("play", "n/a", "later")]
        played = "by a test" if fault.shown else counted[0]
        yield f"| [{fault.key}](#{_anchor(fault)}) | {fault.title} | {played} | {counted[1]} | {counted[2]} |"
    for fault in FAULTS:
        yield from _section(fault, [one for one in cells if one.fault is fault])


def _title(fault: Fault) -> str:
    return f"{fault.key} {fault.title}"


def _anchor(fault: Fault) -> str:
    return "".join(one for one in _title(fault).lower() if one.isalnum() or one in " -").replace(" ", "-")


def _word(said: str) -> str:
    kind, _, code = said.partition(" ")
    return f"`{kind}` {code}" if code else f"`{kind}`"


def _section(fault: Fault, cells: list[Place]) -> Iterator[str]:
    yield ""
    yield f"### {_title(fault)}"
    yield ""
    yield f"- Injected: {fault.injected}."
    if fault.says:
        yield f"- Said: {', '.join(map(_word, fault.says))}."
    if fault.may:
        yield f"- By where the damage falls also: {', '.join(map(_word, fault.may))}."
    if fault.note:
        yield f"- Also: {fault.note}."
    if fault.shown:
        yield f"- Shown by {', '.join(f'`{name}`' for name in fault.shown)}."
    played = [one for one in cells if one.state == "play"]
    if played and fault.process:
        yield "- Played at one profile: it is a matter of the process."
    elif played:
        yield f"- Played: {_where(played)}."
    reasons = dict.fromkeys((one.state, one.reason) for one in cells if one.reason)
    for state, reason in reasons:
        here = [one for one in cells if (one.state, one.reason) == (state, reason)]
        if state == "later":
            yield f"- {reason[0].upper()}{reason[1:]}." + ("" if fault.process else f" {_where(here)}.")
        else:
            yield f"- Does not apply: {_where(here)}: {reason}."


def _where(cells: list[Place]) -> str:
    """Profiles, each with its transport where it is not both."""
    found: dict[str, list[str]] = {}
    for one in cells:
        found.setdefault(one.profile, []).append(one.transport)
    return ", ".join(
        f"`{profile}`" + ("" if len(ways) == len(TRANSPORTS) else f" ({', '.join(ways)})")
        for profile, ways in found.items()
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: written\n")
