"""`shoe-daemon events`: what one audience is told, one JSON line an event, exactly as it was stored."""

import os
from typing import BinaryIO, Final, TextIO

from shoe_daemon.clients.sequence import Answered, Gap, Item, Live, NewJournal, Rejected, Stale, Unanswered
from shoe_daemon.clients.subscriber import Subscriber
from shoe_daemon.clients.wire import Event

_TURN_S: Final = 1.0


def print_events(feed: Subscriber, out: BinaryIO, err: TextIO, *, once: bool) -> int:
    """Write events to `out`, until `feed` is stopped or, with `once`, has come to its present top.

    What else there is to know goes to `err` in words. Returns the exit code: 1 if with `once` the feed does
    not answer. Ctrl-C and a reader that went away are ordinary ends.
    """
    try:
        return _to_the_top(feed, out, err) if once else _for_ever(feed, out, err)
    except KeyboardInterrupt:
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        return 0


def _for_ever(feed: Subscriber, out: BinaryIO, err: TextIO) -> int:
    while not feed.stopped:
        _write(feed.poll(_TURN_S), out, err)
    return 0


def _to_the_top(feed: Subscriber, out: BinaryIO, err: TextIO) -> int:
    """Write what the feed had when it first answered; should its journal change meanwhile, the new one's."""
    top: int | None = None
    while top is None or feed.last < top:
        items = feed.poll(_TURN_S)
        _write(items, out, err)
        for item in items:
            match item:
                case NewJournal():
                    top = None
                case Answered() if top is None:
                    top = item.top
                case Unanswered():
                    return 1
                case _:
                    pass
    return 0


def _write(items: list[Item], out: BinaryIO, err: TextIO) -> None:
    for item in items:
        if isinstance(item, Event):
            out.write(item.raw + b"\n")
        elif (text := describe(item)) is not None:
            err.write(f"{text}\n")
    out.flush()
    err.flush()


def describe(item: Item) -> str | None:
    """Say in words what a person at a terminal should know of `item`."""
    match item:
        case Gap():
            text = f"events {item.after + 1} to {item.top} were missed and are being asked for"
        case NewJournal():
            text = "the journal is a new one and events begin at 1 again; those before are lost"
        case Live():
            text = "live"
        case Stale(reason="silent"):
            text = "nothing heard for 3 s: is the daemon running, and is this its address?"
        case Stale():
            text = "not live: more has been published than has arrived"
        case Rejected():
            text = f"passed over what came from {item.where}: {item.reason}"
        case Unanswered(error=None):
            text = "the daemon does not answer; asking again"
        case Unanswered():
            text = f"the daemon refused to answer: {item.error}; asking again"
        case _:
            return None
    return text
