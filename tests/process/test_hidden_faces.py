"""Two daemons, two decks that differ only in faces nobody has seen: what leaves them is equal."""

import json
import re
from typing import Any

import zmq

from tests.process.conftest import Tables
from tests.process.running import Running, Socket, card

DECKS = (
    ("9S", "3H", "10C", "QD", "4S", "9C", "KH", "10D", "8C"),
    ("10S", "AD", "9C", "5D", "10H", "JC", "2C", "7H", "9D"),
)
BURNED = (("3H", "10S", "KC", "9H"), ("3D", "AS", "10C", "QH"))
FACE = re.compile(r"\b(10|[2-9TAJQK])[SHCD]\b")


def _bare(data: bytes | str) -> Any:  # noqa: ANN401 - any JSON
    """JSON without times and journal ids."""

    def strip(value: Any) -> Any:  # noqa: ANN401 - any JSON
        if isinstance(value, dict):
            return {key: strip(one) for key, one in value.items() if key not in {"at", "journal", "id"}}
        return [strip(one) for one in value] if isinstance(value, list) else value

    return strip(json.loads(data))


class Told:
    """All that a table told anybody who may not see hidden faces."""

    def __init__(self, table: Running) -> None:
        self.table = table
        self.answers: list[Any] = []
        self.snapshots: list[Any] = []
        self.sizes: list[int] = []
        self.beats: list[tuple[str, int]] = []
        self.health: list[Any] = []

    def say(self, verb: str, actor: str = "dealer:1", **args: object) -> None:
        """Give a command; look at everything that can be asked for."""
        self.answers.append(_bare(json.dumps(self.table.say(verb, actor, **args))))
        self.look()

    def draw(self, face: str) -> None:
        """Draw a card and wait until it is told; a burned one of which nothing is told yet."""
        before = len(self.table.of("card.drawn"))
        self.table.shoe.write(card(face))
        self.table.wait("card.drawn", before + 1)
        self.look()

    def look(self) -> None:
        for audience in ("public", "cage", "surveillance"):
            snapshot = self.table.snapshot(audience)
            self.snapshots.append(_bare(json.dumps(snapshot)))
            self.sizes.append(len(json.dumps(snapshot)))


def _play(told: Told, burned: tuple[str, ...], deck: tuple[str, ...]) -> None:
    """Burn, then cards that nobody sees: under a hold, beyond the coup, void in the end; and a half frame."""
    table = told.table
    table.start()
    told.say("open_table", "supervisor:1")
    told.say("load_shoe", "supervisor:1")
    told.say("burn", count=len(burned))
    for face in burned:
        table.shoe.write(card(face))
    table.wait("shoe.burned", 1)
    told.say("no_more_bets")
    for face in deck[:3]:
        told.draw(face)
    told.say("reveal")  # refused: before four cards are out
    table.shoe.write(b" [Game]<Card:%s \r\n" % deck[3].encode())  # torn: takes its place, shows nothing
    table.wait("frame.rejected", 1)
    told.say("confirm")
    told.say("identify", slot="P1", card="KD")
    for face in deck[4:7]:
        told.draw(face)
    told.say("resolve", id="drawn_before_reveal", remedy="nonsense")
    told.say("correct", "supervisor:1", slot="P1", card="KD")
    told.say("open_betting")
    table.kill()
    table.start()
    told.say("resolve", "supervisor:1", id="link_gap", remedy="none_missed")
    with Socket(zmq.SUB, table.at("public")) as public, Socket(zmq.SUB, table.at("cage")) as cage:
        for ear in (public, cage):
            topic, header, _ = next(frames for frames in ear.waiting(3) if frames[2] == b"{}")
            told.beats.append((topic.decode(), int.from_bytes(header[16:], "big")))
    health = json.loads(table.cli("health", "--config", str(table.config), "--json", code=1))
    told.health.append({key: value for key, value in health.items() if key != "journal"})


def test_what_nobody_has_seen_leaves_no_trace(tables: Tables) -> None:
    both = [Told(tables(rules="nsw", procedure="dealer-reveal")) for _ in DECKS]
    for told, burned, deck in zip(both, BURNED, DECKS, strict=True):
        _play(told, burned, deck)
    one, other = both
    for audience in ("public", "cage", "surveillance"):
        mine, theirs = (told.table.raw(audience) for told in both)
        assert list(map(_bare, mine)) == list(map(_bare, theirs))
        assert list(map(len, mine)) == list(map(len, theirs))
        assert not any(FACE.search(body.decode()) for body in mine + theirs)
    assert one.answers == other.answers
    assert one.snapshots == other.snapshots
    assert one.sizes == other.sizes
    assert one.beats == other.beats
    assert one.health == other.health
    for told in both:
        _in_public_only(told)
    # Once void, the faces go to surveillance; public and cage still learn nothing.
    for told in both:
        told.say("void", "supervisor:1")
        assert len(told.table.of("coup.cards")) == 1
    for audience in ("public", "cage"):
        mine, theirs = (told.table.raw(audience) for told in both)
        assert list(map(_bare, mine)) == list(map(_bare, theirs))
        assert not any(FACE.search(body.decode()) for body in mine)
    assert one.answers == other.answers
    logs = [told.table.log.read_text() for told in both]
    assert not any(map(FACE.search, logs))
    assert not any(card(face).hex() in log for log in logs for deck in DECKS for face in deck)


def _in_public_only(told: Told) -> None:
    """`journal show` masks what it must while a shoe is open."""
    shown = told.table.cli("journal", "show", str(told.table.journal))
    assert not FACE.search(shown.replace('"card":"KD"', ""))
    assert not any(card(face).hex() in shown for deck in DECKS for face in deck)
