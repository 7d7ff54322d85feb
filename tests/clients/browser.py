"""A headless Chromium, driven over the WebDriver protocol."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")
PATIENCE_S = 60.0
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


class Browser:
    """One browser with a fresh profile, `width` by `height` pixels."""

    def __init__(self, width: int = 1920, height: int = 1080) -> None:
        assert CHROMEDRIVER is not None
        self._profile = tempfile.TemporaryDirectory()
        self._driver = subprocess.Popen(
            [CHROMEDRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._base = f"http://127.0.0.1:{self._port()}"
        arguments = [*ARGUMENTS, f"--user-data-dir={self._profile.name}", f"--window-size={width},{height}"]
        options = {"binary": CHROMIUM, "args": arguments}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        session = self._ask("POST", "/session", {"capabilities": wanted})
        self._session = f"/session/{session['sessionId']}"
        frame = self.run("return [innerWidth, innerHeight]")
        size = {"width": 2 * width - frame[0], "height": 2 * height - frame[1]}
        self._ask("POST", f"{self._session}/window/rect", size)

    def open(self, url: str) -> None:
        self._ask("POST", f"{self._session}/url", {"url": url})

    def run(self, script: str) -> Any:  # noqa: ANN401 - whatever the page gives
        return self._ask("POST", f"{self._session}/execute/sync", {"script": script, "args": []})

    def until(self, expression: str, wanted: object = True) -> None:  # noqa: FBT002 - reads as until(true)
        """Wait until the page's `expression` is `wanted`."""
        end = time.monotonic() + PATIENCE_S
        while (now := self.run(f"return {expression}")) != wanted:
            assert time.monotonic() < end, f"{expression} is {now!r}, never {wanted!r}"
            time.sleep(0.05)

    def complaints(self) -> list[str]:
        """Give what the browser's console has said since it was last asked."""
        said = self._ask("POST", f"{self._session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in said]

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("GET", f"{self._session}/screenshot")))

    def _port(self) -> int:
        assert self._driver.stdout is not None
        for line in self._driver.stdout:
            if "started successfully on port" in line:
                return int(line.rstrip(".\n").rpartition(" ")[2])
        raise AssertionError("chromedriver did not start")

    def _ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - whatever it answers
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, method=method)  # noqa: S310 - to 127.0.0.1
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - to 127.0.0.1
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._ask("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait()
            assert self._driver.stdout is not None
            self._driver.stdout.close()
            self._profile.cleanup()
