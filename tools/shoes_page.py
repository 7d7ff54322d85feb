"""The page of shoe profiles, docs/shoes.md: its text from tools/shoes_head.md, the tables from config/shoes.

`python -m tools.shoes_page` writes it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from drivers.decoder import ProfileDecoder
from drivers.encoder import ProfileEncoder
from drivers.framing import Delimited
from drivers.profile import ShoeProfile, parse_shoe
from shoe_daemon.game.cards import DECK
from shoe_daemon.runtime.resources import names, shoe_file
from shoe_daemon.table.inputs import CardRead

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "shoes.md"


def page() -> str:
    """The whole page."""
    head = (ROOT / "tools" / "shoes_head.md").read_text(encoding="utf-8")
    return head + "\n" + "\n".join(_profiles()) + "\n"


def _profiles() -> Iterator[str]:
    known = [parse_shoe(*shoe_file(name)) for name in names("shoes")]
    yield "| profile | frames | checksum | bits | another card | said | unsaid |"
    yield "|---|---|---|---|---|---|---|"
    for one in known:
        bits, wrong, unsaid = damage(one)
        check = "none" if one.checksum is None else one.checksum.kind
        shares = " | ".join(f"{share / bits:.1%}" for share in (wrong, bits - wrong - unsaid, unsaid))
        yield f"| `{one.id}` | {_frames(one)} | {check} | {bits:,} | {shares} |"
    for one in known:
        yield ""
        yield f"### `{one.id}`: {one.meta.title}"
        yield ""
        yield "Known from:"
        yield ""
        yield from (f"- {words}" for words in one.meta.known_from)
        yield ""
        yield "Not known:"
        yield ""
        yield from (f"- {words}" for words in one.meta.not_known)


def _frames(profile: ShoeProfile) -> str:
    framing = profile.framing
    if isinstance(framing, Delimited):
        return "lines with a start" if framing.start else "lines"
    return {"Counted": "length first", "Fixed": "of one size", "Escaped": "between two bytes"}[
        type(framing).__name__
    ]


def damage(profile: ShoeProfile) -> tuple[int, int, int]:
    """Bits flipped in all cards; those that gave another card; those of which nothing was said."""
    bits = wrong = unsaid = 0
    for card in DECK:
        encoder = ProfileEncoder(profile)
        # Of two cards of one face with tags, each has a tag of its own.
        frame, good = encoder.encode_card(card), encoder.encode_card(DECK[0], encoder.forms(DECK[0]) - 1)
        for place in range(len(frame)):
            for bit in range(8):
                bad = frame[:place] + bytes([frame[place] ^ 1 << bit]) + frame[place + 1 :]
                decoder = ProfileDecoder(profile)
                found = decoder.feed(bad + good, 0) + decoder.tick(10**9)
                read = {one.face.open() for one in found if isinstance(one, CardRead)}
                places = sum(isinstance(one, CardRead) or getattr(one, "card_like", False) for one in found)
                bits += 1
                wrong += bool(read - {card, DECK[0]})
                unsaid += places < 2  # noqa: PLR2004 - the damaged card and the good one
    return bits, wrong, unsaid


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: written\n")
