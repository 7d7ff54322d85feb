"""Faults 1 to 14: bytes on their way."""

from typing import Final

from tests.faults import needs
from tests.faults.fault import (
    ANSWERS,
    BAD_CHECKSUM,
    DAMAGED,
    GAP_IN_NUMBERS,
    PARTIAL,
    TAKES_PLACE,
    TOO_LONG,
    UNKNOWN,
    UNMATCHED,
    Fault,
)

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
        (*DAMAGED, BAD_CHECKSUM, GAP_IN_NUMBERS),
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
        later=ANSWERS,
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
        (*DAMAGED, TOO_LONG, BAD_CHECKSUM, GAP_IN_NUMBERS),
        note="memory and log stay as they are; what looks like a card takes a place; the next frame is read",
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
        (*DAMAGED, TOO_LONG, BAD_CHECKSUM, GAP_IN_NUMBERS),
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
)
