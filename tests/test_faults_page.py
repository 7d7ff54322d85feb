"""docs/faults.md is what the catalogue says."""

from tools.faults_page import PAGE, page


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make docs"
