"""Faults of what frames mean: numbers, repeats, unread cards, unknown codes, cards out of turn."""

from collections.abc import Callable
from itertools import permutations

from shoe_daemon.game.cards import Card
from shoe_daemon.table.inputs import CardRead, DeviceAlarm, DeviceInput, DeviceReset, FrameRejected
from tests.faults.cell import Cell, Fate, Send
from tests.faults.plays.bytewise import somewhere
from tests.faults.plays.registry import plays
from tests.faults.truth import next_coup

BURNED = 3
BOOT = b"boot ok v1\r\n"


@plays("15")
def again(cell: Cell) -> None:
    def send(card: Card) -> Fate:
        frame = cell.frame(card)
        return cell.fate(card, b"", cell.heard(frame) + cell.heard(frame))

    _, fates = cell.play({somewhere(cell): send})
    assert set(fates.values()) == {"read"}
    assert cell.said() == ["frame.rejected repeated"]


@plays("17")
def alike(cell: Cell) -> None:
    cell.shoe.remove(cell.shoe[0])
    cell.shoe.insert(0, cell.shoe[0])
    twin = cell.shoe[0]
    other = len(cell.shoe) - 1 - cell.shoe[::-1].index(twin)
    cell.shoe.insert(1, cell.shoe.pop(other))
    cell.play()
    assert cell.said() == []


@plays("18")
def number_left_out(cell: Cell) -> None:
    def lost(card: Card) -> Fate:
        cell.frame(card)
        return "gap"

    cell.play({somewhere(cell): lost})
    assert cell.said()[0] == "irregularity.raised sequence_gap"


@plays("19")
def round_again(cell: Cell) -> None:
    encoder = cell.life.encoder
    alive = b""
    while encoder._number != 253:
        alive += cell.message("none")
    cell.heard(alive)
    cell.play()
    assert encoder._number < 10
    assert cell.said() == []


@plays("21")
def starts_anew(cell: Cell) -> None:
    coup = cell.coming()
    at = somewhere(cell)
    for place, card in enumerate(coup.cards):
        if place == at:
            found = cell.heard(BOOT)
            assert {type(one) for one in found} == {FrameRejected}
            cell.life.encoder._number = 0
        cell.heard(cell.frame(card))
        if cell.open_items():
            cell.no_result()
            cell.settle()
    cell.right(coup)


@plays("21b")
def suspected_anew(cell: Cell) -> None:
    coup = cell.coming()
    at = 1 + somewhere(cell) % 3
    for place, card in enumerate(coup.cards):
        if place == at:
            found = cell.heard(BOOT)
            assert [type(one) for one in found].count(DeviceReset) == 1
            assert [one["data"]["code"] for one in cell.open_items()] == ["device_reset"]
            cell.no_result()
            cell.settle()
            cell.life.encoder._number = 0
        assert cell.draw(card) == "read"
    cell.right(coup)


@plays("26")
def put_back(cell: Cell) -> None:
    coup = cell.coming()
    at = somewhere(cell) % 3
    for card in coup.cards[: at + 1]:
        assert cell.draw(card) == "read"
    cell.heard(cell.message("returned"))
    assert [one["data"]["code"] for one in cell.open_items()] == ["card_returned"]
    assert cell.draw(coup.cards[at]) == "read"
    for card in coup.cards[at + 1 : 3]:
        assert cell.draw(card) == "read"
    cell.no_result()
    cell.void()


@plays("51")
def own_result(cell: Cell) -> None:
    codes = {outcome: code for code, outcome in cell.profile.semantics.outcomes.items()}
    for where in ("right", "before", "after"):
        coup = cell.coming()
        other = next(code for outcome, code in codes.items() if outcome != coup.outcome)
        *first, last = coup.cards
        for card in first:
            assert cell.draw(card) == "read"
        if where == "before":
            cell.heard(cell.message("result", outcome=other))
        assert cell.draw(last) == "read"
        if where == "before":
            cell.no_result()
        else:
            cell.heard(cell.message("result", outcome=codes[coup.outcome] if where == "right" else other))
        asked = [(one["data"]["code"], one["data"]["hold"]) for one in cell.open_items()]
        assert asked == ([] if where == "right" else [("result_mismatch", where == "before")])
        cell.settle("accept")
        cell.right(coup)


@plays("22")
def could_not_read(cell: Cell) -> None:
    for kind in _signs(cell):
        cell.apart(cell.profile.semantics.coalesce_ms)
        _, fates = cell.play({somewhere(cell): _unread(cell, (kind,))})
        assert set(fates.values()) == {"unread"}


@plays("23")
def two_signs(cell: Cell) -> None:
    for kinds in permutations(_signs(cell)):
        cell.apart(cell.profile.semantics.coalesce_ms)
        _, fates = cell.play({somewhere(cell): _unread(cell, kinds)})
        assert set(fates.values()) == {"unread"}


def _signs(cell: Cell) -> list[str]:
    """The kinds of frames that say that a card went by unread."""
    alarms = ["alarm"] if cell.profile.semantics.unread_alarms else []
    return alarms + ["unread"] * any(one.event == "unread" for one in cell.profile.messages)


def _unread(cell: Cell, kinds: tuple[str, ...]) -> Send:
    """Draw a card that the shoe could not read, and says so by these frames."""
    code = cell.profile.semantics.unread_alarms[:1]

    def send(card: Card) -> Fate:
        frames = [cell.message(kind, **({"code": code[0]} if kind == "alarm" else {})) for kind in kinds]
        return cell.fate(card, b"", cell.heard(b"".join(frames)))

    return send


@plays("24")
def no_such_code(cell: Cell) -> None:
    def send(card: Card) -> Fate:
        frame = _no_card(cell, card)
        return cell.fate(card, frame, cell.heard(frame))

    _, fates = cell.play({somewhere(cell): send})
    assert set(fates.values()) == {"unread"}
    assert cell.said() == ["frame.rejected unknown_code", "irregularity.raised unknown_code"]


def _no_card(cell: Cell, card: Card) -> bytes:
    """The frame of a card with a code that is in no table."""
    cards = cell.profile.cards
    codes = list(cards.spellings[card][0])
    last = codes[-1]
    if cards.uids:
        codes[-1] = last[:-2] + ("ÿÿ" if cards.uids_as == "bytes" else "FF")
    else:
        codes[-1] = ("Z" if last.isalpha() else "9") * len(last)
    assert tuple(code.encode("latin-1") for code in codes) not in cards.faces
    message = next(one for one in cell.profile.messages if one.event == "card")
    values = dict(zip(cards.groups, codes, strict=True))
    if places := cell.profile.semantics.slots:
        at = cell.place()
        values["slot"] = next(letter for letter, slots in places.items() if at in slots)
    return cell.filled(message, **values)


@plays("28")
def not_due(cell: Cell) -> None:
    cell.play()
    coup = next_coup(cell.shoe)
    del cell.shoe[: len(coup.cards)]
    cell.lies(coup)
    cell.begin_coup()
    assert cell.draw(coup.cards[0]) == "read"
    assert cell.said() == ["irregularity.raised excess_card", "card.carried", "coup.no_bet"]
    for place, card in enumerate(coup.cards[1:], 1):
        assert cell.draw(card) == "read"
        if place == 3:
            cell.no_result()
            cell.table.must("reveal", "dealer:1", all=True)
    cell.table.must("confirm", "dealer:1")
    cell.right(coup)


@plays("29")
def burned(cell: Cell) -> None:
    cell.play()
    cell.table.must("burn", "dealer:1", count=BURNED)
    for card in cell.shoe[:BURNED]:
        found = cell.heard(cell.frame(card))
        assert [one.face.open() for one in found if isinstance(one, CardRead)] == [card]
    del cell.shoe[:BURNED]
    assert cell.said() == ["shoe.burned"]
    cell.play()


@plays("30")
def cut_card(cell: Cell) -> None:
    _between(cell, lambda: cell.heard(cell.message("button")))
    assert cell.said() == ["shoe.cut_card"]
    told = [one for one in cell.record.events if one["type"] == "shoe.cut_card"]
    assert told[-1]["data"]["last_coups"] == 2


@plays("31")
def lid(cell: Cell) -> None:
    found: list[DeviceInput] = []
    _between(cell, lambda: found.extend(cell.heard(cell.message("alarm", code="E4", text="Lid open"))))
    assert [(type(one), getattr(one, "code", "")) for one in found] == [(DeviceAlarm, "E4")]
    assert cell.said() == ["device.alarm"]


def _between(cell: Cell, happen: Callable[[], object]) -> None:
    """Deal a coup; something happens after one of its cards, and it ends right all the same."""
    coup = cell.coming()
    at = 1 + cell.rng.randrange(3)
    for place, card in enumerate(coup.cards):
        if place == at:
            happen()
        assert cell.draw(card) == "read"
    cell.right(coup)
