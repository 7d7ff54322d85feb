"""docs/shoes.md is what the shipped profiles say."""

import pytest

from drivers.profile import parse_shoe
from shoe_daemon.runtime.resources import names, shoe_file
from tools.shoes_page import PAGE, damage, page


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make docs"


@pytest.mark.parametrize("name", names("shoes"))
def test_a_profile_says_what_nobody_knows_and_where_it_is_known_from(name: str) -> None:
    profile = parse_shoe(*shoe_file(name))
    assert profile.meta.known_from
    assert profile.meta.not_known
    bits, wrong, _ = damage(profile)
    assert bits > 0
    assert (wrong == 0) == (profile.checksum is not None or bool(profile.cards.uids))
