"""A copy of a mailbox that stays in step, as steps that a client takes with or without asyncio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generator, Iterable, Mapping, Optional
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
    while True:
        part = None if position is None else (yield from _part(position))
        if part is not None:
            for event in part["data"]:
                yield from _apply(on, event["event"], event["data"])
        following = (yield from _compare(on)) if part is None else part["next"]
        if following != position and on.on_position is not None:
            yield Call(on.on_position, (following,))
        position = following


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


def _part(position: str) -> Steps:
    try:
        return (yield from _ask("/api/changes", after=position, folders=FOLDERS, wait=WAIT_SECONDS))
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
    """Stores a message as it is now; one that is gone has an event of its own."""
    try:
        message = yield from _ask(f"/api/messages/{quote(message_id, safe='')}")
    except ApiProblem as problem:
        if problem.code != "message_not_found":
            raise
    else:
        yield Call(on.on_message, (message["data"],))


def _read_copy(on: Handlers, message_id: str) -> Steps:
    """Stores the copy in Sent of a message that the service sent. It is stored after the event."""
    for _ in range(COPY_TRIES):
        found = yield from _ask("/api/search", messageId=message_id, preview="false")
        for email in found["emails"]:
            yield Call(on.on_message, (email,))
        if found["emails"]:
            return
        yield Pause(COPY_WAIT_SECONDS)


def _apply(on: Handlers, event: str, data: Mapping[str, Any]) -> Steps:
    if event == "email.received":
        yield from _read(on, data["id"])
    elif event == "email.sent":
        if "id" in data:
            yield from _read(on, data["id"])
        else:
            yield from _read_copy(on, data.get("providerMessageId") or data["messageId"])
    elif event == "draft.changed" and not data.get("removed"):
        yield from _read(on, data["id"])
    elif event in ("draft.changed", "email.deleted"):
        yield Call(on.on_gone, (data["id"],))
    elif event == "email.moved":
        yield Call(on.on_moved, (data,))
    elif event == "email.flags_changed":
        yield Call(on.on_flags, (data,))
