"""What stays the same while a table runs: its rules, its procedure, what it is made of."""

from functools import cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from shoe_daemon.game.methods import Method
from shoe_daemon.game.profile import RuleProfile
from shoe_daemon.game.side_bets import SideBet
from shoe_daemon.game.wagers import Sign
from shoe_daemon.table.procedure import METHOD_C, METHODS, Procedure


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The constants of one table. `sha256`s are of the files' bytes, hex.

    `others`: games that may be put in play instead of `rules`. `side_bets`: those offered, by name.
    `sign`: the sign at the table, where it takes wagers over its control channel.
    `two_persons`: verbs that need a second person. `attest`: whether a shoe is loaded only once all that the
    rules ask for was attested. `main_floor`: the table stands on the main gaming floor (NSW-8.1).
    """

    table: str
    rules: RuleProfile
    procedure: Procedure
    decks: int
    software: str
    profile_sha256: str
    hidden: Literal["delayed", "immediate"] = "delayed"
    others: tuple[RuleProfile, ...] = ()
    side_bets: dict[str, SideBet] = {}
    sign: Sign | None = None
    two_persons: frozenset[str] = frozenset()
    attest: Literal["recorded", "required"] = "recorded"
    main_floor: bool = True

    def procedure_for(self, *, no_bet: bool, method: Method | None = None) -> Procedure:
        """The procedure a coup is dealt by: method C for a no-bet coup (NSW-13.6)."""
        if no_bet:
            return METHOD_C
        return self.procedure if method is None else _by(self.procedure, method)

    def rules_named(self, name: str | None) -> RuleProfile:
        """The game of that name; the configured one where it is None or known no more."""
        return next((rules for rules in self.others if rules.name == name), self.rules)


@cache
def _by(procedure: Procedure, method: Method) -> Procedure:
    """`procedure` under `method`. Where the dealer does not call the coup's end, only the name changes."""
    if procedure.coup_ends != "confirm":
        return replace(procedure, method=method)
    way = METHODS[method]
    return replace(way, method=method, settle_s=procedure.settle_s, betting_opens=procedure.betting_opens)
