"""What stays the same while a table runs: its rules, its procedure, what it is made of."""

from typing import Literal

import msgspec

from shoe_daemon.game.profile import RuleProfile
from shoe_daemon.table.procedure import METHOD_C, Procedure


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The constants of one table. `sha256`s are of the files' bytes, hex."""

    table: str
    rules: RuleProfile
    procedure: Procedure
    decks: int
    software: str
    profile_sha256: str
    hidden: Literal["delayed", "immediate"] = "delayed"

    def procedure_for(self, *, no_bet: bool) -> Procedure:
        """The procedure a coup is dealt by: method C for a no-bet coup (NSW-13.6)."""
        return METHOD_C if no_bet else self.procedure
