"""The picture in the README, from a live daemon: `python -m tools.screenshot docs/display.png`."""

import re
import signal
import subprocess
import sys
from pathlib import Path

from tests.clients.browser import Browser

SIZE = (1600, 900)
COUPS = 44
READY = f"""(
    document.querySelectorAll('.bead').length >= {COUPS}
    && document.querySelectorAll('.cards .card:not(.slot):not([data-card=""])').length >= 5
    && document.getElementById('result').innerText !== ''
    && document.getAnimations().every((one) => one.playState === 'finished')
)"""


def take(path: Path) -> None:
    """Run the demo until its display shows so many coups and a result of five cards, and take a picture."""
    demo = [sys.executable, "-m", "shoe_daemon", "demo", "--speed", "60", "--seed", "7"]
    with subprocess.Popen(demo, stdout=subprocess.PIPE, text=True) as process, Browser(*SIZE) as browser:
        try:
            browser.open(_address(process))
            browser.until("document.body.dataset.live", "live")
            browser.until(READY)
            browser.screenshot(path)
        finally:
            process.send_signal(signal.SIGINT)


def _address(process: "subprocess.Popen[str]") -> str:
    for line in process.stdout or ():
        found = re.search(r"http://\S+", line)
        if found:
            return found[0]
    raise RuntimeError("the demo did not start")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
