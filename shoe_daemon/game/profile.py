"""The rule profile: what one casino's rules say, as data, each value with the rule that it comes from.

Card values, the order of the deal and the two drawing tables are the same in every rule set and are code.
"""

import hashlib

import msgspec

from shoe_daemon.game.cards import Outcome
from shoe_daemon.game.drawing import is_natural, next_third
from shoe_daemon.game.house_rules import HouseRules
from shoe_daemon.game.rules_file import BankerPay, RulesFile, SeatRules, WagerRules, rule_ids
from shoe_daemon.schema import ConfigError, problem, read_toml


class RuleProfile(msgspec.Struct, frozen=True):
    """One casino's rules. `sha256`: hex digest of the file's bytes; `stated`: all that the file says."""

    stated: RulesFile
    sha256: str

    @property
    def name(self) -> str:
        """Name by which a configuration chooses these rules."""
        return self.stated.name

    @property
    def title(self) -> str:
        """Title for people."""
        return self.stated.title

    @property
    def decks(self) -> tuple[int, ...]:
        """Deck counts that the rules allow."""
        return self.stated.decks.allowed

    @property
    def default_decks(self) -> int:
        """Deck count where nothing else is said."""
        return self.stated.decks.default

    @property
    def reshuffled(self) -> bool:
        """Whether all cards go back and are shuffled after each coup."""
        return self.stated.decks.reshuffled

    @property
    def face_down(self) -> bool:
        """Whether the initial deal lies face down."""
        return self.stated.deal.face_down

    @property
    def no_bet_rule(self) -> str | None:
        """Rule that makes a coup a no-bet coup, if any."""
        return self.stated.no_bet_rule

    @property
    def side_bets(self) -> tuple[str, ...]:
        """Names of the side bets offered."""
        return self.stated.side_bets

    @property
    def wagers(self) -> WagerRules:
        """What the document says of wagers."""
        return self.stated.wagers

    @property
    def seats(self) -> SeatRules:
        """What the document says of the places of the table."""
        return self.stated.seats

    @property
    def after_cut_card(self) -> int:
        """Coups dealt once the cut card is out, besides the one under way."""
        return 1 if self.stated.cut_card is None else self.stated.cut_card.coups_after

    @property
    def excess_is_burned(self) -> bool:
        """Whether a card drawn in excess lies aside and belongs to no coup."""
        return self.stated.excess is not None and self.stated.excess.goes_to == "burned"

    @property
    def house(self) -> HouseRules:
        """What the document says of methods, notices, opening a table and invalid results."""
        return self.stated.house

    def rule(self, code: str) -> str | None:
        """Give the rule on an irregularity, None where no rule speaks."""
        return next((rule for known, rule in self.stated.irregularities.items() if known == code), None)

    def void_rule(self, code: str) -> str | None:
        """Give the rule by which `code` makes a coup void, None where no rule speaks."""
        return next(
            (rule for known, rule in self.stated.void_rules.items() if known == code), self.rule(code)
        )

    def rule_ids(self, player_initial: int, banker_initial: int) -> tuple[str, ...]:
        """Give the drawing rules that a coup used, from the points of its first two cards a hand."""
        drawing = self.stated.drawing
        if is_natural(player_initial, banker_initial):
            return (drawing.natural,)
        drew = next_third(player_initial, banker_initial, None) == "P3"
        banker = drawing.banker_after_draw if drew else drawing.banker_after_stand
        return tuple(dict.fromkeys((drawing.player, banker)))

    def pays(self, outcome: Outcome, banker_points: int, banker_cards: int | None = None) -> dict[str, str]:
        """Give the odds of the winning bets, `"0"` for a push; losing bets are absent.

        `banker_cards`, 2 or 3: raises ValueError where these rules pay the Banker by it and it is None.
        """
        pay = self.stated.pay
        match outcome:
            case "player":
                return {"player": pay.player.odds}
            case "banker":
                return {"banker": _banker_odds(pay.banker, str(banker_points), banker_cards)}
            case "tie":
                pushes = (bet for bet in ("player", "banker") if bet in pay.push_on_tie.bets)
                return {"tie": pay.tie.odds, **dict.fromkeys(pushes, "0")}


def _banker_odds(pay: BankerPay, points: str, cards: int | None) -> str:
    if points in pay.push_on_three_card:
        if cards is None:
            raise ValueError(f"a Banker's {points} pays by its number of cards, which is not given")
        if cards == 3:  # noqa: PLR2004 - the key says three
            return "0"
    return next((odds for won, odds in pay.on_points.items() if won == points), pay.odds)


def parse_rules(data: bytes, source: str) -> RuleProfile:
    """Read a rule profile; raises ConfigError with every problem, `source` naming the file in them."""
    stated = read_toml(data, source, RulesFile)
    prefix = f"{stated.document.prefix}-"
    strangers = [
        problem(
            data.decode(), source, key, f"{rule} is no rule of this document: its ids begin with {prefix}"
        )
        for key, rule in rule_ids(stated)
        if not rule.startswith(prefix)
    ]
    if strangers:
        raise ConfigError(strangers)
    return RuleProfile(stated, hashlib.sha256(data).hexdigest())
