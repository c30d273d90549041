"""A copy of a mailbox that stays in step, as steps that a client takes with or without asyncio."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Iterable, Mapping, Optional
from urllib.parse import quote, urlencode

from .calls import text_of
from .events import FIRST_WAIT_SECONDS, MOST_WAIT_SECONDS, may_pass
from .problem import ApiProblem
from .transport import Request, backoff

FOLDERS = "*,junk,trash"
WAIT_SECONDS = 30
#: How often the copy of a sent message is looked for, and how many seconds to wait between the looks.
COPY_TRIES = 5
COPY_WAIT_SECONDS = 1.0
#: How many seconds a message is looked for that was not found where it arrived: until another client's change of its
#: place is known, its id opens nothing.
MISSING_SECONDS = 180.0
MISSING_WAIT_SECONDS = 5


@dataclass(frozen=True)
class Ask:
    """A request, whose answer the next step gets."""

    path: str
    query: Mapping[str, Any]

    def request(self) -> Request:
        """Returns the request to send."""
        given = {name: text_of(value) for name, value in self.query.items() if value is not None}
        return Request("GET", f"{self.path}?{urlencode(given)}" if given else self.path, {"accept": "application/json"})


@dataclass(frozen=True)
class Call:
    """A call of a handler, whose result the next step gets."""

    handler: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Pause:
    """A wait."""

    seconds: float


Steps = Generator[Any, Any, Any]
#: The arrivals that were not found, with the time until which they are looked for.
Missing = Dict[str, float]


@dataclass(frozen=True)
class Handlers:
    """What a program does with the changes of a mailbox."""

    on_message: Callable[[Any], Any]
    on_moved: Callable[[Any], Any]
    on_flags: Callable[[Any], Any]
    on_gone: Callable[[str], Any]
    on_position: Optional[Callable[[str], Any]] = None
    known: Optional[Callable[[], Any]] = None


def steps(on: Handlers, position: Optional[str]) -> Steps:
    """Lists all folders, follows the feed, and compares again where the feed expired; without an end."""
    missing: Missing = {}
    stored = position
    while True:
        looked = list(missing)
        wait = MISSING_WAIT_SECONDS if looked else WAIT_SECONDS
        part = None if position is None else (yield from _part(position, wait))
        if part is None:
            missing.clear()
            position = yield from _compare(on)
        else:
            for event in part["data"]:
                yield from _apply(on, missing, event["event"], event["data"])
            for message_id in looked:
                if message_id in missing:
                    yield from _read_arrival(on, missing, message_id)
            position = part["next"]
        # A program that ends while a message is missing gets its arrival again.
        if not missing and position != stored:
            stored = position
            if on.on_position is not None:
                yield Call(on.on_position, (position,))


def _ask(path: str, **query: Any) -> Steps:
    """Returns an answer; repeats a request whose fault may pass."""
    failures = 0
    while True:
        try:
            return (yield Ask(path, query))
        except ApiProblem as problem:
            if not may_pass(problem):
                raise
        yield Pause(backoff(failures, FIRST_WAIT_SECONDS, MOST_WAIT_SECONDS))
        failures += 1


def _part(position: str, wait: int) -> Steps:
    try:
        return (yield from _ask("/api/changes", after=position, folders=FOLDERS, wait=wait))
    except ApiProblem as problem:
        if problem.code != "feed_expired":
            raise
        return None


def _compare(on: Handlers) -> Steps:
    """Lists the mailbox, and returns the position of the feed from before."""
    while True:
        feed = yield from _ask("/api/changes", folders=FOLDERS)
        try:
            yield from _list(on)
        except ApiProblem as problem:
            if problem.code != "cursor_expired":
                raise
        else:
            return feed["next"]


def _list(on: Handlers) -> Steps:
    listed: set[str] = set()
    cursor: Optional[str] = None
    while True:
        page = yield from _ask("/api/messages", folders=FOLDERS, cursor=cursor)
        for email in page["data"]:
            yield Call(on.on_message, (email,))
            listed.add(email["id"])
        cursor = page["nextCursor"]
        if cursor is None:
            break
    known: Iterable[str] = [] if on.known is None else (yield Call(on.known, ()))
    for gone in [one for one in known if one not in listed]:
        yield Call(on.on_gone, (gone,))


def _read(on: Handlers, message_id: str) -> Steps:
    """Stores a message as it is now; returns whether it was found. One that is gone has an event of its own."""
    try:
        message = yield from _ask(f"/api/messages/{quote(message_id, safe='')}")
    except ApiProblem as problem:
        if problem.code != "message_not_found":
            raise
        return False
    yield Call(on.on_message, (message["data"],))
    return True


def _read_arrival(on: Handlers, missing: Missing, message_id: str) -> Steps:
    missing.setdefault(message_id, time.monotonic() + MISSING_SECONDS)
    if (yield from _read(on, message_id)) or missing[message_id] < time.monotonic():
        del missing[message_id]


def _read_copy(on: Handlers, message_id: str) -> Steps:
    """Stores the copy in Sent of a message that the service sent. It is stored after the event."""
    for _ in range(COPY_TRIES):
        found = yield from _ask("/api/search", messageId=message_id, preview="false")
        for email in found["emails"]:
            yield Call(on.on_message, (email,))
        if found["emails"]:
            return
        yield Pause(COPY_WAIT_SECONDS)


def _apply(on: Handlers, missing: Missing, event: str, data: Mapping[str, Any]) -> Steps:
    if event == "email.received":
        yield from _read_arrival(on, missing, data["id"])
    elif event == "email.sent":
        if "id" in data:
            yield from _read_arrival(on, missing, data["id"])
        else:
            yield from _read_copy(on, data.get("providerMessageId") or data["messageId"])
    elif event == "draft.changed" and not data.get("removed"):
        yield from _read(on, data["id"])
    elif event in ("draft.changed", "email.deleted"):
        missing.pop(data["id"], None)
        yield Call(on.on_gone, (data["id"],))
    elif event == "email.moved":
        # While the mailbox was listed, it may have been in neither place.
        yield from _read_arrival(on, missing, data["id"])
        yield Call(on.on_moved, (data,))
    elif event == "email.flags_changed":
        yield Call(on.on_flags, (data,))
