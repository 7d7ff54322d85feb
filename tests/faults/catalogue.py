"""The faults of a shoe and its line, as data: what is done, what the daemon must say, and where it can show.

`says` are events of docs/events.md, with the reason, code or state that tells them apart. What every coup tells
is not among them. A number with a letter is a part of that fault with a play, or a reason, of its own.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import msgspec

from drivers.profile import ShoeProfile
from tests.faults import needs
from tests.faults.needs import Need

TRANSPORTS: Final = ("pty", "tcp")
State = Literal["play", "n/a", "later", "shown"]


class Fault(msgspec.Struct, frozen=True):
    """One fault. `needs`: where it can show; `later`: why it cannot be played yet; `shown`: tests that show it.

    `process`: it is a matter of the process and not of a profile, so that it is one cell. `note`: what is
    said beside it.
    """

    key: str
    title: str
    injected: str
    says: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    later: str = ""
    shown: tuple[str, ...] = ()
    process: bool = False
    note: str = ""

    @property
    def number(self) -> int:
        """Its number in the list of 54."""
        return int(self.key.rstrip("bcd"))


class Place(NamedTuple):
    """One cell of the matrix. `profile` and `transport` are empty for a fault of the process."""

    fault: Fault
    profile: str
    transport: str
    state: State
    reason: str


PARTIAL: Final = "frame.rejected partial"
UNMATCHED: Final = "frame.rejected unmatched"
UNKNOWN: Final = "frame.rejected unknown_code"
TOO_LONG: Final = "frame.rejected too_long"
BAD_CHECKSUM: Final = "frame.rejected bad_checksum"
TAKES_PLACE: Final = "irregularity.raised unknown_code"
GAP_IN_NUMBERS: Final = "irregularity.raised sequence_gap"
LINK: Final = ("device.link down", "device.link up", "device.link gap", "irregularity.raised link_gap")
SHORT: Final = ("irregularity.raised drawn_before_reveal",)
DAMAGED: Final = (PARTIAL, UNMATCHED, UNKNOWN, TAKES_PLACE)

_CAMERA: Final = "not there yet: a camera that counts and reads cards"
_ANSWERS: Final = "not there yet: answers to the shoe (acknowledgement, refusal, asking again)"
_SESSION: Final = "not there yet: a greeting of the shoe in a profile"
_BEATS: Final = "not there yet: signs of life with a limit in a profile"

FAULTS: Final = (
    Fault(
        "1",
        "Bytes in any pieces",
        "a coup byte by byte, another in pieces of 1 to 257 bytes",
        note="nothing is said: the events are those of a clean coup",
    ),
    Fault(
        "2",
        "Several frames at once",
        "all frames of a coup in one write",
        note="nothing is said: each card is drawn, in order",
    ),
    Fault(
        "3",
        "A frame that breaks off",
        "a frame up to a place inside it, and then silence",
        (PARTIAL, TAKES_PLACE, GAP_IN_NUMBERS),
        note="a piece so short that it could be anything takes no place; where frames are numbered the next"
        " number tells that one is missing",
    ),
    Fault(
        "4",
        "A frame that breaks off and goes on late",
        "the first part of a frame, the rest of it after the silence that gives it up",
        (PARTIAL, UNMATCHED, UNKNOWN, BAD_CHECKSUM, TAKES_PLACE, GAP_IN_NUMBERS),
        note="no card is made of the two parts; each that looks like a card takes a place, and both are held",
    ),
    Fault(
        "5",
        "A byte too many before a frame",
        "one byte of noise right before a frame",
        (PARTIAL, UNMATCHED, UNKNOWN, BAD_CHECKSUM, TAKES_PLACE),
        note="with a start character or a checksum the card is read all the same",
    ),
    Fault(
        "6",
        "A byte missing in a frame",
        "one byte of a frame left out",
        (*DAMAGED, BAD_CHECKSUM, GAP_IN_NUMBERS),
    ),
    Fault(
        "7",
        "A bit flipped, with a checksum",
        "one bit of a frame flipped",
        (*DAMAGED, BAD_CHECKSUM, TOO_LONG, GAP_IN_NUMBERS),
        (needs.CHECKSUM,),
        note="never another card; a person names the one that was sent",
    ),
    Fault(
        "7b",
        "A damaged frame is asked for again",
        "one bit flipped where the shoe takes a refusal",
        needs=(needs.ANSWERED,),
        later=_ANSWERS,
    ),
    Fault(
        "8",
        "A bit flipped, and it is another card",
        "one bit of a frame flipped so that it is another card, of which all copies are out",
        ("irregularity.raised composition_exceeded",),
        (needs.NO_CHECKSUM, needs.CODES),
        note="while copies of that card are left nothing here can know; the count of the shoe's cards is what"
        " finds it, or a camera",
    ),
    Fault(
        "9",
        "A burst of noise",
        "64 KiB of random bytes in a coup",
        (*DAMAGED, TOO_LONG, BAD_CHECKSUM, GAP_IN_NUMBERS, *SHORT),
        note="memory and log stay as they are; what looks like a card takes a place; the next good frame is read",
    ),
    Fault(
        "10",
        "NUL bytes",
        "three NUL bytes in a silence, and one right before a frame",
        (*DAMAGED, BAD_CHECKSUM),
        note="what a break on the line is to the daemon; no good byte is flushed",
    ),
    Fault(
        "10b",
        "A break on the line",
        "the flags of the port that make of a break one NUL, and flush nothing",
        shown=("tests/runtime/test_serialport.py::test_the_line_is_raw_and_a_break_flushes_nothing",),
        process=True,
        note="neither a pseudo-terminal nor TCP has a break",
    ),
    Fault(
        "11",
        "A byte with wrong parity",
        "a byte of a frame is NUL, as the kernel gives one with wrong parity",
        (*DAMAGED, BAD_CHECKSUM),
        (needs.PARITY, needs.SERIAL_PARITY),
    ),
    Fault(
        "11b",
        "Parity is looked at",
        "the flags of the port that mark a byte with wrong parity",
        shown=("tests/runtime/test_serialport.py::test_with_parity_a_damaged_byte_is_marked",),
        process=True,
        note="a pseudo-terminal has no parity: what is asked of the port is looked at",
    ),
    Fault(
        "12",
        "Another speed",
        "a coup's bytes as a receiver at half or double the speed reads them",
        (*DAMAGED, TOO_LONG, BAD_CHECKSUM, GAP_IN_NUMBERS, *SHORT),
        note="no card comes of it; no other speed is tried",
    ),
    Fault(
        "12b",
        "Garbage is told of the link",
        "many bytes, none of them in a frame",
        later="not there yet: a limit of garbage in a profile, for `device.link` `garbage`",
    ),
    Fault(
        "13",
        "A byte that is no ASCII",
        "a byte of a frame from 80 to FF",
        (*DAMAGED, BAD_CHECKSUM),
        (needs.TEXT,),
    ),
    Fault(
        "14",
        "A line without an end",
        "three times as many bytes as the longest frame may have, and no end",
        (TOO_LONG,),
        note="told once, and cut; what comes behind the next end or silence is read",
    ),
    Fault(
        "15",
        "The same frame again",
        "a frame of a card twice, under one number",
        ("frame.rejected repeated",),
        (needs.NUMBERED,),
    ),
    Fault(
        "16",
        "The same card too soon",
        "a frame of a card twice within the time that no hand draws two cards in",
        needs=(needs.NOT_NUMBERED,),
        later="not there yet: the least time between two cards in a profile, for `suspect_double`",
    ),
    Fault(
        "17",
        "The same face twice in a row",
        "two cards alike, each drawn in its own time",
        needs=(needs.ONE_FACE_MANY_TAGS,),
        note="nothing is said: these are two cards, as some seven times in a shoe",
    ),
    Fault(
        "18",
        "A number left out",
        "a card whose frame is lost before the line",
        (GAP_IN_NUMBERS,),
        (needs.NUMBERED,),
    ),
    Fault(
        "18b",
        "What is missing is asked for",
        "a card whose frame is lost where the shoe sends again what it is asked for",
        needs=(needs.ANSWERED,),
        later=_ANSWERS,
    ),
    Fault(
        "19",
        "Numbers begin again after the last one",
        "so many frames that the numbers go round inside a coup",
        needs=(needs.NUMBERED, needs.COUNTS_IN_A_BYTE),
        note="nothing is said",
    ),
    Fault(
        "20",
        "The shoe starts anew and says so",
        "a greeting, then numbers from the first on",
        needs=(needs.GREETS,),
        later=_SESSION,
    ),
    Fault(
        "21",
        "The shoe starts anew and does not say so",
        "words of a start in a coup, then cards, their numbers from the first on",
        (PARTIAL, UNMATCHED, GAP_IN_NUMBERS),
        note="the words are told and take no place",
    ),
    Fault(
        "21b",
        "A new start is suspected",
        "the same, and a person is asked what passed meanwhile",
        later="not there yet: words of a start in a profile, for `device_reset`; a person reports it",
    ),
    Fault(
        "22",
        "A card that the shoe could not read",
        "each sign of it that the profile knows",
        ("irregularity.raised unreadable_card", "device.alarm"),
        (needs.UNREAD,),
        note="later cards go to the right hands; a person names the one unread",
    ),
    Fault(
        "23",
        "Two signs for one unread card",
        "the alarm and the line for one card, in both orders",
        ("irregularity.raised unreadable_card", "device.alarm"),
        (needs.BOTH_SIGNS,),
        note="one place, not two",
    ),
    Fault(
        "24",
        "A code that no card has",
        "a whole frame whose code is in no table",
        (UNKNOWN, TAKES_PLACE),
    ),
    Fault(
        "25",
        "More cards of one face than the shoe has",
        "a ninth card of one face in eight decks",
        ("irregularity.raised composition_exceeded",),
    ),
    Fault(
        "26",
        "A card drawn, put back, and drawn again",
        "the shoe's sign for a card that went backwards",
        later="not there yet: a message of a profile for it; a person reports `card_returned`",
    ),
    Fault(
        "27",
        "Two cards drawn as one",
        "one frame for two cards",
        later=_CAMERA,
        note="where the shoe notices, it is an unread card: fault 22",
    ),
    Fault(
        "28",
        "A card when none is due",
        "a card after a coup's end, before betting is opened",
        ("irregularity.raised excess_card", "card.carried", "coup.no_bet"),
        note="it is the first card of the next coup, which has no bets as it was seen",
    ),
    Fault(
        "29",
        "Burned cards among the others",
        "three cards burned between two coups",
        ("shoe.burned",),
        note="they take no place",
    ),
    Fault(
        "30",
        "The end of the shoe in a coup",
        "the button of the cut card between two cards of a coup",
        ("shoe.cut_card",),
        (needs.BUTTON,),
        note="the coup is dealt to its end, and one more",
    ),
    Fault(
        "31",
        "The lid is opened in a coup",
        "the shoe's alarm between two cards",
        ("device.alarm",),
        (needs.ALARM,),
        note="another set of cards is another `load_shoe`, by a person",
    ),
    Fault(
        "32",
        "The cable pulled between coups",
        "a hang-up, and the same line again",
        LINK,
    ),
    Fault(
        "33",
        "The cable pulled inside a frame",
        "a part of a frame, a hang-up, and the same line again",
        (*LINK, PARTIAL, TAKES_PLACE, "irregularity.raised unreadable_card"),
        note="the part is kept and told before the link's end; where it does not show that it was a card, that"
        " card lies in the gap",
    ),
    Fault(
        "34",
        "The line comes back as another node",
        "a hang-up in a coup, and the link by which it is named leads elsewhere",
        LINK,
        (needs.PTY,),
        note="`reason` of `up` names both nodes",
    ),
    Fault(
        "35",
        "Another device under the shoe's name",
        "a hang-up, and behind the same name a positioning receiver",
        (*LINK, *DAMAGED, TOO_LONG, BAD_CHECKSUM, *SHORT),
        note="no card comes of it",
    ),
    Fault(
        "35b",
        "Another device is told to be one",
        "the same, where the shoe greets",
        needs=(needs.GREETS,),
        later=_SESSION,
    ),
    Fault(
        "36",
        "A loose plug",
        "ten hang-ups, each as soon as the line was up again",
        LINK,
        note="each return is asked about; as many files open after it as before",
    ),
    Fault(
        "37",
        "Another program holds the port",
        "the port locked by another when the daemon starts",
        ("device.link down", "device.link up", "device.link gap", "irregularity.raised link_gap"),
        (needs.PTY,),
        note="`reason` of `down` says busy, and what to do",
    ),
    Fault(
        "37b",
        "A second reader takes bytes away",
        "some bytes of a frame read by another program that opened the line before",
        (*DAMAGED, BAD_CHECKSUM, GAP_IN_NUMBERS),
        (needs.PTY,),
    ),
    Fault(
        "38",
        "No permission, or no device, at the start",
        "a port that may not be opened; one that is not there; an address at which nothing listens",
        shown=(
            "tests/runtime/test_serialport.py::test_permission_in_earnest",
            "tests/runtime/test_serialport.py::test_an_absent_device_is_told_and_waited_for",
            "tests/runtime/test_tcpport.py::test_nothing_listening_is_told_and_waited_for",
        ),
        process=True,
    ),
    Fault(
        "39",
        "A card while the daemon is down",
        "the daemon stopped in a coup, a card drawn, the daemon started",
        (*LINK, "irregularity.raised unreadable_card"),
        note="the card lies in the gap: a person says that one was missed, and names it",
    ),
    Fault(
        "40",
        "The daemon is killed",
        "SIGKILL at seeded instants of reading, writing, publishing, starting",
        shown=(
            "tests/process/test_kill.py::test_nothing_is_lost_at_any_instant",
            "tests/torture/test_kills.py::test_nothing_is_lost_at_any_instant",
        ),
        process=True,
    ),
    Fault(
        "41",
        "A consumer stands still, a disk is slow",
        "subscribers stopped for seconds, a journal that does not come back from a write",
        shown=(
            "tests/process/test_subscribers.py::test_stopped_and_late_subscribers_have_every_event",
            "tests/process/test_pump_thread.py"
            "::test_a_disk_that_stalls_holds_up_neither_the_beats_nor_the_times_nor_the_answers",
        ),
        process=True,
    ),
    Fault(
        "42",
        "The disk is full",
        "a file system of one megabyte, filled while cards are drawn",
        shown=(
            "tests/process/test_stop.py::test_nothing_is_told_while_the_disk_is_full_and_no_card_is_lost",
        ),
        process=True,
        note="nothing is told that is not written, cards neither; all of it once there is room",
    ),
    Fault(
        "43",
        "Signs of life stop",
        "silence where the shoe should say that it lives",
        needs=(needs.HEARTBEAT,),
        later=_BEATS,
    ),
    Fault(
        "44",
        "Signs of life and no cards",
        "a shoe that says it lives, and cards that only a camera sees",
        later=_CAMERA,
    ),
    Fault(
        "45",
        "An acknowledgement is lost, refusals without end",
        "the shoe sends again what it has no answer to",
        needs=(needs.ANSWERED,),
        later=_ANSWERS,
    ),
    Fault(
        "46",
        "Cards while the shoe is still greeted",
        "cards between the two parts of a greeting",
        needs=(needs.GREETS,),
        later=_SESSION,
    ),
    Fault(
        "47",
        "A late answer to an earlier question",
        "an answer that comes after the next question was sent",
        needs=(needs.POLLED,),
        later="not there yet: questions to the shoe in a profile",
    ),
    Fault(
        "48",
        "The clock is set",
        "the machine's clock an hour on, and an hour back",
        shown=(
            "tests/runtime/test_clock.py::test_a_step_is_told_until_it_is_taken_over",
            "tests/process/test_pump_thread.py"
            "::test_the_clock_is_followed_only_while_the_pump_rests_and_no_timer_runs",
        ),
        process=True,
    ),
    Fault(
        "48b",
        "That the clock was set is told",
        "the same, and surveillance hears of it",
        later="not there yet: the event `clock.stepped`; the daemon's log has it",
        process=True,
    ),
    Fault(
        "49",
        "A scanner that is a keyboard",
        "another layout, capital letters, repeated keys, two scanners at once",
        later="not there yet: scanners that are keyboards",
        process=True,
    ),
    Fault(
        "50",
        "A tag that stays in the field, or comes back",
        "the frame of one tag a hundred times, two tags at once, a tag again after others",
        needs=(needs.TAGS,),
        later="not there yet: tags that are known one from another; each line is a card",
    ),
    Fault(
        "51",
        "The shoe's own result is another one",
        "a frame with a result that is not ours",
        later="not there yet: a message of a profile with the shoe's own result",
    ),
    Fault(
        "52",
        "Told to stop at the worst time",
        "SIGTERM while cards and commands pour in; while the port is being opened; while the disk is full",
        shown=(
            "tests/process/test_stop.py::test_sigterm_under_load_ends_well_and_tells_of_it_last",
            "tests/process/test_stop.py::test_it_stops_while_the_disk_is_full_and_says_that_it_is_not_well",
            "tests/runtime/test_serialport.py::test_a_stop_while_the_device_opens_leaves_nothing_open",
        ),
        process=True,
    ),
    Fault(
        "52b",
        "Told to stop while the shoe takes no bytes",
        "answers to the shoe that nobody reads",
        needs=(needs.ANSWERED,),
        later=_ANSWERS,
    ),
    Fault(
        "53",
        "More than a thousand files open",
        "a daemon that inherits 1,100 open files, its line a pseudo-terminal and then TCP",
        process=True,
        note="nothing is said",
    ),
    Fault(
        "54",
        "A profile that contradicts itself",
        "each contradiction that a profile can have, alone and all at once",
        shown=(
            "tests/drivers/test_shoe_profile.py::test_each_contradiction_is_named_with_its_line",
            "tests/drivers/test_shoe_profile.py::test_all_problems_at_once",
            "tests/drivers/test_framings.py::test_each_contradiction_is_named",
        ),
        process=True,
        note="refused when it is loaded; a daemon that runs reads no profile again",
    ),
)

COLUMNS_LATER: Final[dict[str, str]] = {}
"""Profiles that nothing here can play yet, each with its reason."""


def place(fault: Fault, profile: ShoeProfile, transport: str) -> Place:
    """The cell of a fault at a profile and a transport."""
    for need in fault.needs:
        if not need.met(profile, transport):
            return Place(fault, profile.id, transport, "n/a", need.reason)
    later = fault.later or COLUMNS_LATER.get(profile.id, "")
    return Place(fault, profile.id, transport, "later" if later else "play", later)


def places(profiles: list[ShoeProfile]) -> Iterator[Place]:
    """Every cell, by fault, then profile, then transport."""
    for fault in FAULTS:
        if fault.process:
            state: State = "later" if fault.later else "shown" if fault.shown else "play"
            yield Place(fault, "", "", state, fault.later)
        else:
            for profile in profiles:
                yield from (place(fault, profile, transport) for transport in TRANSPORTS)
