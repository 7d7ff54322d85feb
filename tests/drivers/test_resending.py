"""A virtual device sends again what it is asked for."""

from drivers.encoder import ProfileEncoder, frame_of
from drivers.profile import parse_shoe
from drivers.resending import Resending
from shoe_daemon.game.cards import DECK
from shoe_daemon.runtime.resources import shoe_file

HOUSE = parse_shoe(*shoe_file("house-serial"))


def asks(number: int) -> bytes:
    return frame_of(HOUSE, bytes([number]) + b"R")


def test_what_was_sent_is_sent_again_whenever_it_is_asked_for_however_the_question_is_cut() -> None:
    encoder, device = ProfileEncoder(HOUSE), Resending(HOUSE)
    frames = [encoder.encode_card(card) for card in DECK[:3]]
    for frame in frames:
        device.sent(frame)
    assert device.asked(asks(3) + asks(1)) == [frames[0], frames[2]]
    assert [device.asked(bytes([byte])) for byte in asks(2)][-1] == [frames[1]]
    assert device.asked(b"") == device.asked(b"noise") == []


def test_a_question_for_a_frame_that_is_not_sent_yet_is_not_answered_later() -> None:
    encoder, device = ProfileEncoder(HOUSE), Resending(HOUSE)
    first, second = encoder.encode_card(DECK[0]), encoder.encode_card(DECK[1])
    device.sent(first)
    assert device.asked(asks(2)) == []
    device.sent(second)
    assert device.asked(b"") == device.asked(b"\x00") == []
    assert device.asked(asks(2)) == [second]
