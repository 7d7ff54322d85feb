"""Faults 40 to 54: the process, and what a shoe is asked and answers."""

from typing import Final

from tests.faults import needs
from tests.faults.fault import CAMERA, LINK, REPEATED, TAKES_PLACE, Fault

_PUMP: Final = "tests/process/test_pump_thread.py"

FAULTS: Final = (
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
            f"{_PUMP}::test_a_disk_that_stalls_holds_up_neither_the_beats_nor_the_times_nor_the_answers",
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
        ("device.link stalled", *LINK),
        needs=(needs.HEARTBEAT,),
        session=("silence_ms = 2000",),
        note="told once the limit, here 2 s, is over; the line is opened anew, and what passed is asked",
    ),
    Fault(
        "44",
        "Signs of life and no cards",
        "a shoe that says it lives, and cards that only a camera sees",
        later=CAMERA,
    ),
    Fault(
        "45",
        "An acknowledgement is lost, refusals without end",
        "the shoe sends again what it has no answer to, answers twice what it was asked twice, and sends"
        " one frame damaged each time",
        (REPEATED, "irregularity.raised suspect_double", "frame.rejected bad_checksum", TAKES_PLACE),
        needs=(needs.ACKNOWLEDGED,),
        note="under its number it is the same frame; without numbers a person says so; a frame that never"
        " comes whole takes a place",
    ),
    Fault(
        "46",
        "Cards while the shoe is still greeted",
        "the line comes back, and a card comes before the shoe says that it started, in answer to us",
        (*LINK, "irregularity.raised device_reset"),
        needs=(needs.STARTS,),
        session=('hello = "?"',),
        note="the card is read; a person says what passed",
    ),
    Fault(
        "47",
        "A late answer to an earlier question",
        "an answer that comes after the next question was sent, and the answer to that: the same card",
        (REPEATED,),
        needs=(needs.POLLED,),
        session=('poll = "?"', "poll_ms = 50"),
        note="one card",
    ),
    Fault(
        "48",
        "The clock is set",
        "the machine's clock an hour on, and an hour back",
        shown=(
            "tests/runtime/test_clock.py::test_a_step_is_told_until_it_is_taken_over",
            f"{_PUMP}::test_the_clock_is_followed_only_while_the_pump_rests_and_no_timer_runs",
        ),
        process=True,
    ),
    Fault(
        "48b",
        "That the clock was set is told",
        "the clock of a daemon an hour on while a coup settles, two hours back in the next, and on again",
        shown=("tests/process/test_clock.py::test_a_clock_set_on_and_back_is_told_to_surveillance_alone",),
        process=True,
        note="`clock.stepped` comes once no timer counts; the coups and their replay are as if nothing were",
    ),
    Fault(
        "49",
        "A scanner that is a keyboard",
        "another layout, capital letters, repeated keys, dropped keys, another program's grab, two"
        " scanners at once",
        shown=(
            "tests/drivers/test_keyboard.py::test_a_scanner_set_to_french_types_no_card",
            "tests/drivers/test_keyboard.py::test_locks_have_no_influence",
            "tests/drivers/test_keyboard.py::test_releases_and_repeats_type_nothing",
            "tests/drivers/test_keyboard.py::test_two_scanners_are_two_streams",
            "tests/runtime/test_hidport.py::test_dropped_keys_damage_the_code_and_take_the_link_down_and_up",
            "tests/runtime/test_hidport.py::test_a_keyboard_that_another_program_has_grabbed_is_busy_and_closed",
            "tests/runtime/test_hidport.py::test_two_scanners_are_two_ports",
            "tests/process/test_keyboard.py::test_a_coup_is_scanned_and_a_lost_plug_and_lost_keys_hold_it",
        ),
        process=True,
    ),
    Fault(
        "50",
        "A tag that stays in the field, or comes back",
        "the frame of one tag a hundred times; a tag again after others",
        (REPEATED, "irregularity.raised duplicate_card"),
        needs=(needs.TAGS,),
        note="it is one card; once another tag was read between, it is a card again, and the coup is held",
    ),
    Fault(
        "51",
        "The shoe's own result is another one",
        "a frame with a result that is not ours, before a coup's last card and after it",
        ("irregularity.raised result_mismatch",),
        needs=(needs.OWN_RESULT,),
        note="before ours is told it holds the coup; after that a person lets ours stand or corrects a card",
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
        shown=("tests/process/test_sessions.py::test_a_device_that_reads_nothing_holds_nobody_up",),
        process=True,
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
