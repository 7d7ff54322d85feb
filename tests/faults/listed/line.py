"""Faults 32 to 39: the line."""

from typing import Final

from tests.faults import needs
from tests.faults.fault import (
    BAD_CHECKSUM,
    GAP_IN_NUMBERS,
    LINK,
    PARTIAL,
    TAKES_PLACE,
    TOO_LONG,
    UNKNOWN,
    UNMATCHED,
    Fault,
)

FAULTS: Final = (
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
        note="the part is kept and told before the link's end; where it does not show that it was a card, the"
        " card lies in the gap",
    ),
    Fault(
        "34",
        "The line comes back as another node",
        "a hang-up in a coup, and the link by which it is named leads elsewhere",
        LINK,
        needs=(needs.PTY,),
        alone=True,
        note="`reason` of `up` names both nodes",
    ),
    Fault(
        "35",
        "Another device under the shoe's name",
        "a hang-up, and behind the same name a positioning receiver",
        (*LINK, PARTIAL, UNMATCHED, TAKES_PLACE, TOO_LONG),
        may=(BAD_CHECKSUM, UNKNOWN),
        alone=True,
        note="no card comes of it",
    ),
    Fault(
        "35b",
        "Another device is told to be one",
        "the same, where the shoe says what it is",
        needs=(needs.STARTS,),
        later="not there yet: a question to the shoe who it is; `hello` is not compared with an answer",
    ),
    Fault(
        "36",
        "A loose plug",
        "three hang-ups, each as soon as the line was up again",
        (*LINK, "device.alarm"),
        alone=True,
        note="each return is asked about; as many files open after it as before",
    ),
    Fault(
        "36b",
        "A loose plug is summed up",
        "a plug that goes five times a second, and a port that vanishes half a second after it came",
        shown=(
            "tests/process/test_replug.py::test_a_link_that_comes_and_goes_is_told_as_such_and_dealing_goes_on",
            "tests/process/test_replug.py::test_a_port_that_vanishes_half_a_second_after_it_came_is_told_the_third_time",
        ),
        process=True,
        note="`device.alarm` link_flapping and link_settled, one line of the log for all of it; a question"
        " for each return",
    ),
    Fault(
        "37",
        "Another program holds the port",
        "the port locked by another when the daemon starts",
        ("device.link down", "device.link up", "device.link gap", "irregularity.raised link_gap"),
        needs=(needs.PTY,),
        note="`reason` of `down` says busy, and what to do",
    ),
    Fault(
        "37b",
        "A second reader takes bytes away",
        "some bytes of a frame read by another program that opened the line before",
        (UNMATCHED, UNKNOWN, TAKES_PLACE, GAP_IN_NUMBERS),
        needs=(needs.PTY,),
        may=(BAD_CHECKSUM, PARTIAL),
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
)
