"""Captures written in the words of the table, for tests that read like a deal."""

import json
from typing import Any

from shoe_daemon.runtime.replay import replay
from shoe_daemon.table.project import Policy


class Deal:
    """A capture in the making; times go on by one second a thing."""

    def __init__(self, **first: Any) -> None:  # noqa: ANN401 - keys of a capture's first line
        self._t = 0.0
        self._lines = [json.dumps({"t": 0, "profile": "beetek-rs232", **first})]

    def cards(self, *texts: str) -> "Deal":
        """Cards leave the shoe; `?` is one that it could not read."""
        for text in texts:
            frame = "[Game]<Game>\r\n" if text == "?" else f"[Game]<Card:{text}>\r\n"
            self._next(rx=frame.encode().hex())
        return self

    def soon(self, text: str) -> "Deal":
        """A card 20 ms after what was before it."""
        frame = "[Game]<Game>\r\n" if text == "?" else f"[Game]<Card:{text}>\r\n"
        return self._next(0.02, rx=frame.encode().hex())

    def device(self, line: str) -> "Deal":
        """A line of the device, one second after what was before it."""
        return self._next(rx=f"{line}\r\n".encode().hex())

    def say(self, verb: str, actor: str = "supervisor:9", **args: Any) -> "Deal":  # noqa: ANN401 - of any verb
        """Somebody gives a command."""
        return self._next(cmd={"verb": verb, "actor": actor, "args": args})

    def at_once(self, verb: str, actor: str, **args: Any) -> "Deal":  # noqa: ANN401 - of any verb
        """As `say`, 20 ms after what was before it."""
        return self._next(0.02, cmd={"verb": verb, "actor": actor, "args": args})

    def link(self, state: str) -> "Deal":
        """The cable goes or comes."""
        return self._next(link=state)

    def _next(self, after_s: float = 1.0, **what: Any) -> "Deal":  # noqa: ANN401 - one line
        self._t = round(self._t + after_s, 6)
        self._lines.append(json.dumps({"t": self._t, **what}))
        return self

    def told(self, audience: str = "surveillance", policy: Policy = "delayed") -> list[dict[str, Any]]:
        """What one audience is told, in order."""
        return [
            json.loads(message.body)
            for messages in replay(self._lines, policy)
            for message in messages
            if message.audience == audience
        ]

    def data(
        self, kind: str, audience: str = "surveillance", policy: Policy = "delayed"
    ) -> list[dict[str, Any]]:
        """Data of every event of one type."""
        return [event["data"] for event in self.told(audience, policy) if event["type"] == kind]

    def types(self, audience: str = "public") -> list[str]:
        """Types of what one audience is told, in order."""
        return [event["type"] for event in self.told(audience)]
