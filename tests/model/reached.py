"""What a run reached, counted, and what it must have reached."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from tests.model.state import Data
from tests.model.telling import ITEMS

COMMON: Final = ("not_allowed", "bad_args", "table_closed", "no_shoe", "second_needed", "same_person")
"""Reasons for which any verb may be refused."""

REASONS: Final[dict[str, str]] = {
    "open_table": "already_open",
    "close_table": "coup_open notice_due",
    "pause": "already_paused",
    "resume": "not_paused",
    "attest": "shoe_loaded same_person",
    "load_shoe": "shoe_loaded attest_due",
    "burn": "coup_open burning card_waiting no_coup cards_exposed not_burning",
    "cut_card": "already_cut",
    "shoe_empty": "already_empty",
    "close_shoe": "coup_open burning",
    "open_betting": (
        "already_open paused answer_due last_coup no_bet coup_open held too_few_cards cards_down"
    ),
    "no_more_bets": "betting_not_open",
    "reveal": "no_coup held hands_together hand_needed too_few_cards nothing_down cards_mismatch",
    "confirm": "no_coup not_in_procedure too_few_cards held third_card_missing not_complete",
    "advance": "held too_few_cards nothing_next paused answer_due",
    "enter": "answer_due",
    "enter_result": (
        "burning answer_due last_coup held cards_down betting_not_open cards_differ outcome_differs"
    ),
    "identify": "no_coup closed not_open known",
    "correct": "no_coup closed not_open same_card places_would_change",
    "disclose": "nothing_waiting",
    "undisclosed": "nothing_waiting",
    "report": "no_coup past_initial_deal reported no_such_card last_coup burning",
    "resolve": "no_such_item ambiguous not_a_remedy not_allowed use_verb cards_since",
    "void": "no_coup closed",
    "invalidate": "no_coup closed no_result",
    "declare_no_bet": "coup_open burning answer_due last_coup no_bet not_in_rules no_more_demonstrations",
    "set_method": "not_in_rules coup_open no_seat already_set main_floor approval_needed inspector_needed",
    "acknowledge": "nothing_asked not_allowed coup_open",
    "unmask": "second_needed not_allowed no_shoe",
    "bank": "not_in_rules coup_open already_set no_seat",
    "set_rules": "already_set not_configured coup_open notice_due",
    "set_limits": "already_set bad_args notice_due not_in_rules",
    "dispute": "no_coup wrong_stage not_allowed",
    "wager": "not_taken",
    "withdraw": "not_taken",
    "seat": "not_taken",
}
"""Verb: the reasons of its own for which it is refused."""


class Reached:
    """Counts of steps, irregularities, remedies, refusals and types of events."""

    def __init__(self) -> None:
        self.steps = 0
        self.codes: Counter[str] = Counter()
        self.remedies: Counter[tuple[str, str]] = Counter()
        self.refusals: Counter[tuple[str, str]] = Counter()
        self.types: Counter[str] = Counter()

    def told(self, messages: Sequence[Data]) -> None:
        """Count a step with what was told of it."""
        self.steps += 1
        self.types.update({message["type"] for message in messages})
        for message in messages:
            data = message["data"]
            if message["audience"] != "surveillance":
                continue
            match message["type"]:
                case "irregularity.raised":
                    self.codes[data["code"]] += 1
                case "irregularity.resolved":
                    self.remedies[data["code"], data["remedy"]] += 1
                case "command.refused":
                    self.refusals[data["verb"], data["reason"]] += 1

    def missing(self) -> Iterator[str]:
        """Say what was never reached."""
        yield from (code for code in ITEMS if not self.codes[code])
        wanted = [(code, remedy) for code, (_, _, remedies) in ITEMS.items() for remedy in remedies]
        wanted.append(("third_card_missing", "correct"))
        yield from (f"{code}: {remedy}" for code, remedy in wanted if not self.remedies[code, remedy])
        for verb, reasons in REASONS.items():
            yield from (f"{verb} → {why}" for why in reasons.split() if not self.refusals[verb, why])
        heard = {why for _, why in self.refusals}
        yield from (f"→ {why}" for why in COMMON if why not in heard)

    def summary(self) -> str:
        """Print the figures."""
        counts = ["steps", "irregularities", "remedies", "refusals", "events"]
        figures = (
            {"all": self.steps},
            self.codes,
            {f"{code}: {remedy}": n for (code, remedy), n in self.remedies.items()},
            {f"{verb} → {reason}": n for (verb, reason), n in self.refusals.items()},
            self.types,
        )
        lines = zip(counts, figures, strict=True)
        return "\n".join(
            f"{name}: " + ", ".join(f"{key} {n}" for key, n in sorted(rows.items())) for name, rows in lines
        )
