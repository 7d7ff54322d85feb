"""The text of a first shoe profile, from a few answers: frames are lines, a card has a rank and a suit."""

import re

import msgspec


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What an integrator knows. `example`: the line of the ace of spades; `rank`, `suit`: their parts.

    `baud` 0: the scanner types as a keyboard.
    """

    id: str
    baud: int
    example: str
    rank: str
    suit: str
    ranks: str
    suits: str
    unread: str = ""


def profile_text(answers: Answers) -> str:
    """TOML of the profile. Raises ValueError where the answers do not fit together."""
    ranks, suits = answers.ranks.split(), answers.suits.split()
    if len(ranks) != 13 or len(suits) != 4:  # noqa: PLR2004 - a deck
        raise ValueError(f"wants 13 codes of ranks and 4 of suits, got {len(ranks)} and {len(suits)}")
    pattern = _pattern(answers, ranks, suits)
    typed = answers.baud == 0
    end = "\r" if typed else "\r\n"
    names = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    lines = [
        "# A first profile: look at it, record what the shoe sends, and test it.",
        "",
        "[meta]",
        f"id = {_text(answers.id)}",
        f"title = {_text(answers.id)}",
        "known_from = []",
        'not_known = ["where this is known from, and what else the shoe may send: write it down here"]',
        "",
        "[transport]",
        'kind = "hid"' if typed else f"baud = {answers.baud}",
        "",
        "[framing]",
        'kind = "delimited"',
        r'ends = ["\r", "\t"]' if typed else r'ends = ["\r", "\n"]',
        'strip = " "' if typed else r'strip = " \t"',
        f"max_bytes = {max(80, 2 * len(answers.example))}",
        "idle_ms = 200",
        "",
        "[[messages]]",
        'event = "card"',
        f"match = {_text(pattern)}",
        f"example = {_text(answers.example + end)}",
        "",
    ]
    if answers.unread:
        unread = _text(answers.unread + end)
        lines += [
            "[[messages]]",
            'event = "unread"',
            f"match = {_text(re.escape(answers.unread))}",
            f"example = {unread}",
            "",
        ]
    lines += [
        "[cards]",
        f"like = {_text(_like(answers))}   # a damaged line in which this is found takes the next place",
        "",
        "[cards.ranks]",
        *(f"{name} = [{_text(code)}]" for name, code in zip(names, ranks, strict=True)),
        "",
        "[cards.suits]",
        *(f"{name} = [{_text(code)}]" for name, code in zip("SHCD", suits, strict=True)),
    ]
    return "\n".join(lines) + "\n"


def _pattern(answers: Answers, ranks: list[str], suits: list[str]) -> str:
    """The whole line, with the parts named that are rank and suit."""
    line = answers.example
    first, second = _places(answers)
    if answers.rank != ranks[0] or answers.suit != suits[0]:
        raise ValueError("the line is the ace of spades: its parts must be the first code of each list")
    parts = [(first, first + len(answers.rank), f"(?P<rank>{_any(ranks)})")]
    parts.append((second, second + len(answers.suit), f"(?P<suit>{_any(suits)})"))
    parts.sort()
    (a, b, one), (c, d, two) = parts
    return re.escape(line[:a]) + one + re.escape(line[b:c]) + two + re.escape(line[d:])


def _places(answers: Answers) -> tuple[int, int]:
    """Where rank and suit begin: the two that lie nearest to each other. ValueError where none do."""
    line, rank, suit = answers.example, answers.rank, answers.suit
    if not rank or not suit or rank not in line or suit not in line:
        raise ValueError(f"rank {rank!r} and suit {suit!r} must be parts of {line!r}")
    pairs: dict[int, list[tuple[int, int]]] = {}
    for first in _all(rank, line):
        for second in _all(suit, line):
            between = second - first - len(rank) if first < second else first - second - len(suit)
            pairs.setdefault(between, []).append((first, second))
    apart = sorted(between for between in pairs if between >= 0)
    if not apart:
        raise ValueError(f"rank {rank!r} and suit {suit!r} overlap in {line!r}")
    nearest = pairs[apart[0]]
    if len(nearest) > 1:
        raise ValueError(f"rank {rank!r} and suit {suit!r} are in {line!r} more than once: write the profile")
    return nearest[0]


def _all(part: str, line: str) -> list[int]:
    return [place for place in range(len(line)) if line.startswith(part, place)]


def _any(codes: list[str]) -> str:
    return "|".join(re.escape(code) for code in sorted(codes, key=len, reverse=True))


def _like(answers: Answers) -> str:
    """What stands before the codes, where anything does; else any two characters."""
    head = answers.example[: min(_places(answers))]
    return re.escape(head) or ".."


def _text(text: str) -> str:
    """A TOML string."""
    return msgspec.json.encode(text).decode()
