"""The documents that are drawn from the code: `python -m shoe_daemon.table.document > docs/events.md`."""

import inspect
import sys
import typing
from collections.abc import Iterator

import msgspec

from shoe_daemon.table import events as ev
from shoe_daemon.table.inputs import Input
from shoe_daemon.table.irregularities import PARKED_MISSING, ROWS
from shoe_daemon.table.procedure import PARTS, PROCEDURES
from shoe_daemon.table.project import data_fields
from shoe_daemon.table.reasons import REFUSED
from shoe_daemon.table.remedies import REMEDIES
from shoe_daemon.table.verbs import SECOND, VERBS

SHAPES = {
    "card.drawn": "n, slot, readable, card, source",
    "shoe.burned_cards": "cards",
    "alarm.raised": "code, n, what, reason",
    "alarm.cleared": "what; of an alarm that is over by itself code, what, reason",
}
"""Data that the projection makes, where it is not the event's own fields (table/project.py)."""


def document() -> str:
    """`docs/events.md`, whole."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Events, inputs, verbs, irregularities"
    yield ""
    yield "Generated from the code (`make docs`) and tested to be current: the document of record."
    yield ""
    yield "Every event is `{v, journal, table, audience, seq, type, at, shoe, coup, data}`. `data` of one"
    yield "that a command caused bears `actor` on surveillance. A consumer ignores what it does not know."
    yield ""
    yield "## Events"
    yield ""
    yield "| type | public | surveillance | cage | data | meaning |"
    yield "|---|---|---|---|---|---|"
    seen: set[str] = set()
    for tag, kind in ev.REGISTRY.items():
        if kind.audiences and ev.TYPE[kind] not in seen:
            seen.add(ev.TYPE[kind])
            yield _event(tag, kind)
    yield ""
    yield "Events that stay in the journal, because the state folds from them: " + ", ".join(
        f"`{tag}`" for tag, kind in ev.REGISTRY.items() if not kind.audiences
    )
    yield ""
    yield "## Order within one input"
    yield ""
    ranks: dict[int, list[str]] = {}
    for kind in ev.REGISTRY.values():
        if kind.audiences and ev.TYPE[kind] not in ranks.setdefault(kind.rank, []):
            ranks[kind.rank].append(ev.TYPE[kind])
    for _, types in sorted(ranks.items()):
        yield f"1. {', '.join(f'`{name}`' for name in types)}"
    yield ""
    yield from _inputs()
    yield from _verbs()
    yield from _refusals()
    yield from _irregularities()
    yield from _procedures()


def _event(tag: str, kind: type[ev.Event]) -> str:
    ticks = " | ".join("✓" if audience in kind.audiences else "" for audience in ev.AUDIENCES)
    if tag in SHAPES:
        data = SHAPES[tag]
    else:
        data = ", ".join(
            f"{name} ({', '.join(kind.only[name])} only)" if name in kind.only else name
            for name in data_fields(kind)
        )
    return f"| `{tag}` | {ticks} | {data or '–'} | {_doc(kind)} |"


def _doc(what: object) -> str:
    return " ".join((inspect.getdoc(what) or "").split()).replace("|", "\\|")


def _inputs() -> Iterator[str]:
    yield "## Inputs"
    yield ""
    yield "| input | fields | meaning |"
    yield "|---|---|---|"
    for kind in Input.__subclasses__():
        fields = ", ".join(field.name for field in msgspec.structs.fields(kind))
        yield f"| `{kind.__struct_config__.tag}` | {fields} | {_doc(kind)} |"
    yield ""


def _verbs() -> Iterator[str]:
    yield "## Verbs"
    yield ""
    yield "| verb | args | roles | meaning |"
    yield "|---|---|---|---|"
    for verb in VERBS.values():
        names = [field.name for field in msgspec.structs.fields(verb.args)] + [SECOND] * verb.two
        args = ", ".join(names) or "–"
        yield f"| `{verb.name}` | {args} | {', '.join(sorted(verb.roles))} | {verb.help} |"
    yield ""


def _refusals() -> Iterator[str]:
    yield "## Refusals"
    yield ""
    yield "| reason | means |"
    yield "|---|---|"
    for reason, words in REFUSED.items():
        yield f"| `{reason}` | {words} |"
    yield ""


def _irregularities() -> Iterator[str]:
    yield "## Irregularities"
    yield ""
    yield "A hold, and the remedy `void`, are there only while a coup is open. What a row without remedies"
    yield "brings about happens as it is raised. Into a parked coup no card can be drawn: there the remedies"
    yield f"of `third_card_missing` are {' and '.join(PARKED_MISSING)}. Where the rules burn a card in excess"
    yield "(France), `excess_card` has no remedies: the card lies aside and goes to no coup. Until a"
    yield "`suspect_double` is answered neither its card nor one after it has a place; of a card in excess it"
    yield "holds nothing, of one burned or lying aside it is only accepted. No shipped profile sets the"
    yield "gap that raises it (`min_gap_ms`). Nothing raises `camera_mismatch` (there is no camera yet)."
    yield ""
    yield "| code | kind | holds | reads a face | by `report` | remedies | trigger |"
    yield "|---|---|---|---|---|---|---|"
    for row in ROWS.values():
        yield (
            f"| `{row.code}` | {row.kind} | {_yes(row.hold)} | {_yes(row.faces)} | {_yes(row.reported)} "
            f"| {', '.join(row.remedies) or '–'} | {row.trigger} |"
        )
    yield ""
    yield "What rows without remedies bring about:"
    yield ""
    yield "| code | the coup | the shoe's cards | roads | cage |"
    yield "|---|---|---|---|---|"
    for row in ROWS.values():
        if row.at_once is not None:
            brings = row.at_once
            yield f"| `{row.code}` | {brings.coup} | {brings.shoe} | {brings.roads} | {brings.cage} |"
    yield ""
    yield "## Remedies"
    yield ""
    yield "| remedy | chosen by | through | the coup | the shoe's cards | roads | cage |"
    yield "|---|---|---|---|---|---|---|"
    for remedy in REMEDIES.values():
        who = "dealer or supervisor" if remedy.dealer else "supervisor"
        verbs = {"draw": "the card itself"} if remedy.verb else {}
        how = verbs.get(remedy.name, f"`{remedy.name}`" if remedy.verb else "`resolve`")
        yield (
            f"| `{remedy.name}` | {who} | {how} | {remedy.coup} | {remedy.shoe} | {remedy.roads} "
            f"| {remedy.cage} |"
        )
    yield ""


def _procedures() -> Iterator[str]:
    yield "## Procedures"
    yield ""
    yield f"| part | {' | '.join(PROCEDURES)} | values |"
    yield f"|---|{'---|' * (len(PROCEDURES) + 1)}"
    fields = {field.name: field for field in msgspec.structs.fields(next(iter(PROCEDURES.values())))}
    for part in PARTS:
        values = " | ".join(str(getattr(row, part)) for row in PROCEDURES.values())
        choices = typing.get_args(fields[part].type)
        yield f"| `{part}` | {values} | {', '.join(map(str, choices)) or 'seconds'} |"


def _yes(value: bool) -> str:  # noqa: FBT001 - a cell of a table
    return "yes" if value else "no"


if __name__ == "__main__":
    sys.stdout.write(document())
