"""The ROUTER at which operators' commands come in: read, checked for form, handed to the pump, answered.

Without keys an actor is what the request claims; such claims are taken only where the configuration or
the endpoint (ipc of mode 0600: the same user) allows it.
"""

import asyncio
import difflib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Annotated, Any, Final

import msgspec
import zmq

from shoe_daemon.runtime.bound import CONFIGURATION, LINGER_MS, bind_again, bind_all
from shoe_daemon.runtime.endpoints import Endpoint
from shoe_daemon.runtime.feed import Router
from shoe_daemon.runtime.gate import Gate
from shoe_daemon.runtime.keys import Entry
from shoe_daemon.runtime.requests import MALFORMED, Frames, Id, error
from shoe_daemon.runtime.rows import JournalError
from shoe_daemon.table.arguments import as_args
from shoe_daemon.table.verbs import ROLES, VERBS, role_of

_Actor = Annotated[str, msgspec.Meta(max_length=128)]


CLAIMS_NOT_TAKEN: Final = "claims_not_taken"
"""Refused, for nothing proves who sent it."""
NOT_VOUCHED: Final = "not_vouched"
"""Refused, for the key that sent it does not vouch for persons of this role."""


class _Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Id
    verb: str
    args: Any = {}
    expect_coup: Annotated[int, msgspec.Meta(ge=0)] | None = None
    actor: _Actor | None = None


class Request(msgspec.Struct, frozen=True):
    """A well-formed command. `key` finds its answer in the journal, None: none is kept.

    `refused`: the reason, already known, for which it is refused; it is journaled all the same. `via`: name
    of the key that vouches for the actor.
    """

    id: str | int
    verb: str
    actor: str
    args: dict[str, Any]
    expect_coup: int | None
    key: str | None
    refused: str | None = None
    via: str | None = None


Submit = Callable[[Request], Awaitable[bytes]]
"""Carries a request out and gives its answer, which is in the journal then; raises JournalError."""

_ask = msgspec.json.Decoder(_Ask).decode


def accepted(request: Request, events: Sequence[bytes]) -> bytes:
    """Answer to a command that was carried out. `events`: the JSON of the public events it caused."""
    raw = [msgspec.Raw(event) for event in events]
    return msgspec.json.encode({"id": request.id, "ok": True, "events": raw})


def refused(request: Request, reason: str) -> bytes:
    """Answer to a command that was not carried out."""
    return msgspec.json.encode({"id": request.id, "ok": False, "refused": reason})


class Control:
    """The control endpoint. `claims`: whether actors are taken as claimed; `answered`: looks a `key` up."""

    def __init__(  # noqa: PLR0913 - what it asks, and whom
        self,
        endpoint: Endpoint,
        *,
        claims: bool,
        answered: Callable[[str], bytes | None],
        submit: Submit,
        source: str = CONFIGURATION,
        gate: Gate | None = None,
    ) -> None:
        self._gate = gate
        self._endpoint = endpoint
        self._source = source
        self._claims = claims
        self._answered = answered
        self._submit = submit
        self._running: dict[str, asyncio.Task[bytes]] = {}
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._router: Router | None = None

    def open(self) -> None:
        """Bind and serve, in the running loop. Raises ConfigError."""
        if self._gate is not None:
            self._gate.open(self._context)
        bound = bind_all(self._context, self._wanted, self._source, self._gate)
        self._router = Router(bound["feed.control"], self.answer)

    @property
    def _wanted(self) -> dict[str, tuple[int, Endpoint]]:
        return {"feed.control": (zmq.ROUTER, self._endpoint)}

    async def reopen(self) -> None:
        """Close what is open, and serve anew: all come back but those who may not."""
        if self._router:
            await self._router.close()
        bound = await bind_again(self._context, self._wanted, self._source, self._gate)
        self._router = Router(bound["feed.control"], self.answer)

    async def close(self) -> None:
        """Take no more commands. One that was handed on is carried out; its answer waits in the journal."""
        if self._router:
            await self._router.close()
        await asyncio.to_thread(self._context.destroy, LINGER_MS)

    async def answer(self, body: bytes, key: str = "") -> AsyncGenerator[Frames, None]:
        """Answer one request of the client with `key`; never raises for what a client sent."""
        try:
            ask = _ask(body)
        except MALFORMED as wrong:
            yield error(body, str(wrong))
            return
        entry = self._gate.entry("control", key) if self._gate is not None and key else None
        if entry is not None and ask.actor is None and len(entry.roles) == 1:
            ask = msgspec.structs.replace(ask, actor=f"{entry.roles[0]}:{entry.name}")
        if (wrong_words := _form(ask)) is not None:
            yield error(body, wrong_words)
            return
        try:
            yield [await asyncio.shield(self._once(self._request(ask, entry, keyed=bool(key))))]
        except JournalError as failed:
            yield error(body, str(failed))

    def _request(self, ask: _Ask, entry: Entry | None, *, keyed: bool) -> Request:
        """The request, refused where nothing proves its actor; `keyed`: the client has a key, in `entry`."""
        actor = ask.actor or ""
        args = as_args(ask.args)
        via = None if entry is None else entry.name
        if entry is None and (keyed or not self._claims):
            return Request(ask.id, ask.verb, actor, args, ask.expect_coup, key=None, refused=CLAIMS_NOT_TAKEN)
        if entry is not None and role_of(actor) not in entry.roles:
            return Request(
                ask.id, ask.verb, actor, args, ask.expect_coup, key=None, refused=NOT_VOUCHED, via=via
            )
        key = msgspec.json.encode([actor, ask.id] if via is None else [actor, ask.id, via]).decode()
        return Request(ask.id, ask.verb, actor, args, ask.expect_coup, key=key, via=via)

    def _once(self, request: Request) -> "asyncio.Task[bytes]":
        """Carry out `request`, or join the same one that is under way."""
        key = request.key
        task = self._running.get(key) if key else None
        if task is None:
            task = asyncio.get_running_loop().create_task(self._decide(request))
            if key:
                self._running[key] = task
                task.add_done_callback(lambda _: self._running.pop(key))
        return task

    async def _decide(self, request: Request) -> bytes:
        first = await asyncio.to_thread(self._answered, request.key) if request.key else None
        return await self._submit(request) if first is None else first


def _form(ask: _Ask) -> str | None:
    """Say what is wrong with the verb or the actor, or None."""
    if ask.verb not in VERBS:
        near = difflib.get_close_matches(ask.verb, VERBS, 1)
        return f'unknown verb "{ask.verb}"' + (f'; did you mean "{near[0]}"?' if near else "")
    if ask.actor is None:
        return "actor is missing: without a key a request says who sends it, as role:id"
    if role_of(ask.actor) is None:
        return f'actor "{ask.actor}" is not role:id with a role of {", ".join(ROLES)}'
    return None
