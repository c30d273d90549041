"""The synchronization of a copy of a mailbox, as steps for clients with and without asyncio."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Iterable, Mapping, Optional
from urllib.parse import quote, urlencode

from .calls import text_of
from .events import FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS, may_pass
from .problem import ApiProblem
from .transport import Request, backoff

FOLDERS = "*,junk,trash"
WAIT_SECONDS = 30
#: The maximum number of searches for the copy of a sent message, and the seconds between them.
COPY_TRIES = 5
COPY_WAIT_SECONDS = 1.0
#: The time for which the client looks for a message that was not found where it arrived: its id opens nothing until
#: the service knows of a move by another client.
MISSING_SECONDS = 180.0
MISSING_WAIT_SECONDS = 5


@dataclass(frozen=True)
class Ask:
    """A request whose answer is passed to the next step."""

    path: str
    query: Mapping[str, Any]

    def request(self) -> Request:
        """Returns the request to send."""
        given = {name: text_of(value) for name, value in self.query.items() if value is not None}
        return Request("GET", f"{self.path}?{urlencode(given)}" if given else self.path, {"accept": "application/json"})


@dataclass(frozen=True)
class Call:
    """A call of a handler whose result is passed to the next step."""

    handler: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Pause:
    """A wait before the next step."""

    seconds: float


Steps = Generator[Any, Any, Any]
#: The arrivals that were not found, with the end of the search for each.
Missing = Dict[str, float]


@dataclass(frozen=True)
class Handlers:
    """The handlers of a program for the changes of a mailbox."""

    on_message: Callable[[Any], Any]
    on_moved: Callable[[Any], Any]
    on_flags: Callable[[Any], Any]
    on_gone: Callable[[str], Any]
    on_position: Optional[Callable[[str], Any]] = None
    known: Optional[Callable[[], Any]] = None


def steps(on: Handlers, position: Optional[str]) -> Steps:
    """Lists all folders, follows the feed, and compares again after the feed expired, endlessly."""
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
        # A program that ends during the search for a message gets its arrival again.
        if not missing and position != stored:
            stored = position
            if on.on_position is not None:
                yield Call(on.on_position, (position,))


def _ask(path: str, **query: Any) -> Steps:
    """Returns an answer; repeats a request after a temporary fault."""
    failures = 0
    while True:
        try:
            return (yield Ask(path, query))
        except ApiProblem as problem:
            if not may_pass(problem):
                raise
        yield Pause(backoff(failures, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS))
        failures += 1


def _part(position: str, wait: int) -> Steps:
    try:
        return (yield from _ask("/api/changes", after=position, folders=FOLDERS, wait=wait))
    except ApiProblem as problem:
        if problem.code != "feed_expired":
            raise
        return None


def _compare(on: Handlers) -> Steps:
    """Lists the mailbox, and returns the position of the feed before the listing."""
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
    """Stores the current state of a message; returns whether it was found. A message that is gone has a separate event."""
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
    """Stores the copy in Sent of a message that the service sent. The copy appears after the event."""
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
        # During the listing, the message may have been in neither place.
        yield from _read_arrival(on, missing, data["id"])
        yield Call(on.on_moved, (data,))
    elif event == "email.flags_changed":
        yield Call(on.on_flags, (data,))
