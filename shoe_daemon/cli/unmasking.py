"""`--unmask`: two named persons ask to see the faces that lie hidden in the open shoe.

They ask the table itself, so that the journal has it, and surveillance knows it, before anything is shown.
"""

import os
import sys
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import typer

from shoe_daemon.cli.asking import answer_of, person
from shoe_daemon.cli.output import refuse
from shoe_daemon.cli.settings import KEY_FILE, client_keys
from shoe_daemon.runtime.config import Config
from shoe_daemon.runtime.inspection import unmasked
from shoe_daemon.runtime.lockfile import holder, lock_of
from shoe_daemon.runtime.rows import Reader
from shoe_daemon.table.reasons import REFUSED
from shoe_daemon.table.verbs import SECOND

UnmaskOption = Annotated[
    bool, typer.Option("--unmask", help="show what lies hidden in the open shoe, as two persons ask")
]
ActorOption = Annotated[str | None, typer.Option(help="with --unmask: who asks, role:id")]
SecondOption = Annotated[str | None, typer.Option(help="with --unmask: who asks too, role:id")]
ReasonOption = Annotated[str | None, typer.Option(help="with --unmask: why")]
_NEEDED: Final = "--actor, --second and --reason"


class Asking(msgspec.Struct, frozen=True):
    """Who asks for hidden faces, with whom, and why."""

    actor: str
    second: str
    reason: str


def asking(actor: str | None, second: str | None, reason: str | None, *, unmask: bool) -> Asking | None:
    """What the options say; None where nothing is asked for."""
    if not unmask:
        if {actor, second, reason} != {None}:
            refuse(f"{_NEEDED} go with --unmask")
        return None
    if actor is None or second is None or not reason:
        refuse(f"--unmask needs {_NEEDED}")
    return Asking(person("--actor", actor), person("--second", second), reason)


def bared(
    journal: Reader, settings: Config, what: Literal["listen", "journal", "export"], asked: Asking
) -> int:
    """Number of the shoe that may be shown, once `journal` has that it was asked for; else it ends here."""
    if not settings.journal.exists() or not journal.path.samefile(settings.journal):
        refuse(f"{journal.path} is not the journal of {settings.source}, {settings.journal}")
    if holder(lock_of(settings.journal)) is None:
        refuse(
            f"{settings.journal}: no daemon writes it, and what two persons ask is journaled before anything"
            " is shown: start the daemon"
        )
    after = journal.end()
    args = {"what": what, "reason": asked.reason, SECOND: asked.second}
    named = os.environ.get(KEY_FILE)
    keys = client_keys(settings, None if named is None else Path(named))
    answer = answer_of(settings, "unmask", asked.actor, args, keys=keys)
    if not answer.get("ok"):
        why = str(answer.get("refused", answer.get("error")))
        refuse(f"{why}: {REFUSED.get(why, 'nothing is shown')}", 1)
    shoe = unmasked(journal, after, asked.actor, args)
    if shoe is None:
        refuse(f"{journal.path}: the daemon has not journaled here what was asked: nothing is shown", 1)
    sys.stderr.write(f"shoe {shoe} is shown to {asked.actor} and {asked.second}, as the journal has it\n")
    return shoe
