"""The generated document is the one in docs/."""

from pathlib import Path

from shoe_daemon.table.document import document

ROOT = Path(__file__).resolve().parents[2]


def test_events_md_is_current() -> None:
    assert (ROOT / "docs" / "events.md").read_text(encoding="utf-8") == document(), "run: make docs"
