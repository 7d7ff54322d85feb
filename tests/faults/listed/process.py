"""Faults 40 to 54: the process, and what a shoe is asked and answers."""

from typing import Final

from tests.faults import needs
from tests.faults.fault import ANSWERS, BEATS, CAMERA, SESSION, Fault

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
        needs=(needs.HEARTBEAT,),
        later=BEATS,
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
        "the shoe sends again what it has no answer to",
        needs=(needs.ANSWERED,),
        later=ANSWERS,
    ),
    Fault(
        "46",
        "Cards while the shoe is still greeted",
        "cards between the two parts of a greeting",
        needs=(needs.GREETS,),
        later=SESSION,
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
            f"{_PUMP}::test_the_clock_is_followed_only_while_the_pump_rests_and_no_timer_runs",
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
        later=ANSWERS,
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
