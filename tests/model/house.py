"""What each rule document says beside the drawing rules, typed in from the documents."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from tests.model.cards import Slot, count

Bet = Literal["win", "lose", "push"]


class House(NamedTuple):
    """One rule profile. `drawing`: its rule ids for a natural, Table 1, Table 2, the Banker's own."""

    irregularities: dict[str, str]
    drawing: tuple[str, str, str, str]
    even_money: bool = False
    no_bet: str | None = None
    methods: bool = False
    notices: Mapping[str, str] = MappingProxyType({})
    opening: tuple[str, ...] = ()
    bank: str | None = None
    """Rule by which the bank is passed when the Banker loses."""
    demonstrations: int = 0
    demonstration_rule: str | None = None
    excess_burned: bool = False
    """An excess card lies aside and is never a card of the next coup."""
    after_cut: int = 1
    """Coups that may be dealt after the one under way, once the cut card is out."""
    places: int = 14
    player_limits: bool = False
    """Whether a seat may have limits of its own."""
    reshuffled: bool = False
    """All cards are in play again after each coup (IC-decks)."""
    invalidation: Mapping[str, str] = MappingProxyType({})


_NSW = House(
    irregularities={
        "excess_card": "NSW-13.4",
        "unauthorised_third_card": "NSW-13.4",
        "disclosed_first_card": "NSW-13.5",
        "face_up_card": "NSW-13.7",
        "misdeal": "NSW-13.1",
        "too_many_cards": "NSW-13.3",
        "insufficient_cards": "NSW-13.8",
        "drawn_before_betting_closed": "NSW-7.1",
        "drawn_before_reveal": "NSW-10.1",
        "third_card_missing": "NSW-10.1",
    },
    drawing=("NSW-10.2", "NSW-10.3", "NSW-10.4", "NSW-10.5"),
    no_bet="NSW-13.5",
    methods=True,
    player_limits=True,
    notices={"minimum": "NSW-6.4", "closing": "NSW-14.9", "game": "NSW-14.8"},
    invalidation={"disruption": "NSW-14.4.1", "fraud": "NSW-14.4.2"},
)
HOUSES: Final = {
    "nsw": _NSW,
    "nsw-even-money": _NSW._replace(even_money=True),
    "nzg-1994": House(
        irregularities={
            "drawn_before_reveal": "NZG-9.1",
            "third_card_missing": "NZG-9.1",
        },
        drawing=("NZG-9.2", "NZG-9.3", "NZG-9.4", "NZG-9.5"),
        player_limits=True,
        bank="NZG-8.22.a",
        opening=("inspection", "spread", "wash", "stack", "shuffle"),
    ),
    "live": House({"drawn_before_betting_closed": "LB-betting"}, ("LB-third",) * 4),
    "intercasino": House({}, ("IC-third",) * 4, reshuffled=True, places=5),
    "macau": House(
        {"face_up_card": "MO-4"},
        ("MO-third",) * 4,
        demonstrations=3,
        player_limits=True,
        demonstration_rule="MO-2",
    ),
    "france": House({"excess_card": "FR-55.14"}, ("FR-55.14",) * 4, excess_burned=True, after_cut=0),
}

NOTICE_MINUTES: Final = 20


def rule_ids(house: House, *, natural: bool, player_drew: bool) -> list[str]:
    """Drawing rules used in a coup."""
    of_natural, table_1, table_2, own = house.drawing
    used = [of_natural] if natural else [table_1, table_2 if player_drew else own]
    return list(dict.fromkeys(used))


def pays(house: House, outcome: str, banker_points: int) -> dict[str, str]:
    """Odds of the winning bets, a push as 0."""
    if outcome == "tie":
        return {"tie": "8", "player": "0", "banker": "0"}
    if outcome == "player":
        return {"player": "1"}
    if house.even_money:
        return {"banker": "1/2" if banker_points == 6 else "1"}
    return {"banker": "19/20"}


SIDE_BETS: Final = (
    "player-pair",
    "either-pair",
    "dragon-bonus-player",
    "dragon-7",
    "panda-8",
    "tiger-tie",
    "big",
)
"""Side bets that this model knows."""


def side_bet(name: str, faces: dict[Slot, str]) -> Bet:
    """How a side bet of SIDE_BETS ended; `faces` of a complete coup."""
    player = [face for slot, face in faces.items() if slot[0] == "P"]
    banker = [face for slot, face in faces.items() if slot[0] == "B"]
    pair = {hand: cards[0][:-1] == cards[1][:-1] for hand, cards in (("player", player), ("banker", banker))}
    p, b = count(*player), count(*banker)
    natural = count(*player[:2]) >= 8 or count(*banker[:2]) >= 8
    if name == "dragon-bonus-player":
        if natural:
            return "push" if p == b else "win" if p > b else "lose"
        return "win" if p - b >= 4 else "lose"
    wins = {
        "player-pair": pair["player"],
        "either-pair": pair["player"] or pair["banker"],
        "dragon-7": b == 7 > p and len(banker) == 3,
        "panda-8": p == 8 > b and len(player) == 3,
        "tiger-tie": p == b == 6,
        "big": len(faces) > 4,
    }
    return "win" if wins[name] else "lose"


_ODDS: Final = {
    "player-pair": "11",
    "either-pair": "5",
    "dragon-7": "40",
    "panda-8": "25",
    "tiger-tie": "35",
    "big": "27/50",
}
_DRAGON_BONUS: Final = {4: "1", 5: "2", 6: "4", 7: "6", 8: "10", 9: "30"}


def side_pays(name: str, faces: dict[Slot, str]) -> dict[str, str]:
    """Odds of a side bet of SIDE_BETS, a push as 0; nothing where it lost."""
    end = side_bet(name, faces)
    if end != "win":
        return {name: "0"} if end == "push" else {}
    if name == "dragon-bonus-player":
        hands = [[face for slot, face in faces.items() if slot[0] == letter] for letter in "PB"]
        natural = any(count(*hand[:2]) >= 8 for hand in hands)
        return {name: "1" if natural else _DRAGON_BONUS[count(*hands[0]) - count(*hands[1])]}
    return {name: _ODDS[name]}
