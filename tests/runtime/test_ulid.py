"""Journal ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoe_daemon.runtime import ulid


@given(st.binary(min_size=16, max_size=16))
def test_text_and_bytes_are_each_others_inverse(data: bytes) -> None:
    text = ulid.to_text(data)
    assert len(text) == 26
    assert ulid.to_bytes(text) == data


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_text_sorts_as_bytes_do(one: bytes, other: bytes) -> None:
    assert (ulid.to_text(one) < ulid.to_text(other)) == (one < other)


def test_known_value() -> None:
    # The example of the ULID specification: 1469918176385 ms is written 01ARYZ6S41.
    assert ulid.new(1_469_918_176_385_000)[:10] == "01ARYZ6S41"


def test_zero_is_what_captures_use() -> None:
    assert ulid.ZERO == "0" * 26
    assert ulid.to_bytes(ulid.ZERO) == bytes(16)


def test_no_two_alike() -> None:
    assert len({ulid.new(0) for _ in range(1000)}) == 1000


@pytest.mark.parametrize(
    "text", ["", "0" * 25, "8" + "0" * 25, "0" * 25 + "U", "0" * 25 + "a", "\u0660" * 26]
)
def test_other_text_is_no_id(text: str) -> None:
    with pytest.raises(ValueError, match="is no id"):
        ulid.to_bytes(text)


def test_other_sizes_are_no_id() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        ulid.to_text(bytes(15))
