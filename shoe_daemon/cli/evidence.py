"""`shoe-daemon journal prove` and `check-proof`: one coup with what proves it, and whether that holds."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from shoe_daemon.cli.output import refuse, say, until_unread
from shoe_daemon.runtime.messages import rfc3339
from shoe_daemon.runtime.proof import ProofError, Proven, Said, check, encode
from shoe_daemon.runtime.proving import prove as make
from shoe_daemon.runtime.rows import JournalError, Reader
from shoe_daemon.runtime.signing import SigningError, load_public

_EVERY_CARD = "this shows every card of the coup, also what nobody saw: it is not for players or the cage\n"


def prove(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="journal")],
    coup: Annotated[int, typer.Option("--coup", min=1, help="number of the coup")],
    shoe: Annotated[
        int | None, typer.Option("--shoe", min=1, help="its shoe; the last one without it")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="always so here")] = True,  # noqa: ARG001 - as `show`
) -> None:
    """Write one coup with what proves it, a line of JSON for `check-proof`; exit 1 where there is none."""
    try:
        with Reader(file) as journal:
            proof = encode(make(journal, coup, shoe))
    except JournalError as error:
        refuse(str(error))
    except msgspec.MsgspecError as error:
        refuse(f"{file}: cannot be read: {error}: journal verify names the first bad row", 1)
    except ProofError as error:
        refuse(str(error), 1)
    sys.stderr.write(_EVERY_CARD)
    with until_unread():
        sys.stdout.buffer.write(proof)


def check_proof(
    file: Annotated[Path, typer.Argument(metavar="PROOF", help="what `journal prove` wrote")],
    keys: Annotated[
        list[Path], typer.Option("--public-key", metavar="PEM", help="public key that signs the journal")
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    """Say what a proof proves; exit 1 where it does not hold. Needs the public key and nothing else."""
    try:
        data = file.read_bytes()
        public = [load_public(key) for key in keys]
    except OSError as error:
        refuse(f"{file}: cannot be read: {error.strerror}")
    except SigningError as error:
        refuse(str(error))
    try:
        proven = check(data, public)
    except ProofError as error:
        if as_json:
            typer.echo(msgspec.json.encode({"ok": False, "why": str(error)}))
        else:
            say((("well", False), ("why", str(error))))
        raise typer.Exit(1) from None
    if as_json:
        typer.echo(msgspec.json.encode({"ok": True, **msgspec.to_builtins(proven)}))
    else:
        say(_words(proven))


def _words(proven: Proven) -> list[tuple[str, object]]:
    rows = f"{len(proven.rows)} rows of the journal, {proven.rows[0]} to {proven.rows[-1]}"
    return [
        ("well", True),
        ("table", proven.table),
        ("shoe, coup", f"{proven.shoe}, {proven.coup}"),
        ("from", proven.begin),
        ("to", proven.end),
        *(line for said in proven.results for line in _result(said)),
        ("journal", proven.journal),
        ("proven by", rows),
        ("signed by", proven.keys),
        ("signed at", f"{rfc3339(proven.signed_at)}, up to row {proven.until}"),
        ("not shown", "what was said of this coup after that row"),
    ]


def _result(said: Said) -> list[tuple[str, object]]:
    """Lines of one end of the coup."""
    data = said.data
    if said.type != "coup.result":
        said_why = (data.get("reason"), data.get("ground"), data.get("rule"))
        why = ", ".join(text for text in said_why if text)
        return [("result", f"{said.type.removeprefix('coup.')} at {said.at}" + (f": {why}" if why else ""))]
    hands = [(name, data[name]) for name in ("player", "banker")]
    return [
        ("result", f"{data['outcome']}, revision {data['revision']} at {said.at}"),
        *((name, f"{' '.join(hand['cards'])}: {hand['points']}") for name, hand in hands),
        ("rules", f"{data['rules']['name']}: {', '.join(data['rule_ids'])}"),
    ]
