"""Live events as an iterator."""

from __future__ import annotations

import json
import time
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Callable, Iterator, Sequence, Union
from urllib.parse import urlencode

from .problem import ApiProblem
from .session import Session
from .transport import LOST, Request, backoff, opened

if TYPE_CHECKING:
    from .key import Key
    from .types import MailEvent

#: The time of three comments, which the service sends every 15 seconds.
MAX_SILENCE_SECONDS = 45.0

FIRST_WAIT_SECONDS = 1.0
MAX_WAIT_SECONDS = 30.0


def request_of(folders: Sequence[str] | None, last: str | None) -> Request:
    """Returns the request that opens a stream after an event."""
    query = "" if folders is None else "?" + urlencode({"folders": ",".join(folders)})
    headers = {"accept": "text/event-stream", **({} if last is None else {"last-event-id": last})}
    return Request("GET", f"/api/events{query}", headers)


def follow(
    session: Union[Session, Key],
    last: str | None,
    on_gap: Callable[[], None] | None,
    folders: Sequence[str] | None,
) -> Iterator[MailEvent]:
    """Yields events, and reconnects after the last event that the caller handled."""
    was_open = False
    failures = 0
    while True:
        try:
            response = session.send(request_of(folders, last), opened, timeout=MAX_SILENCE_SECONDS)
        except ApiProblem as problem:
            if not was_open or not may_pass(problem):
                raise
        else:
            was_open = True
            with response:
                for fields in _messages(response):
                    failures = 0
                    if fields.get("event") == "gap":
                        if on_gap is not None:
                            on_gap()
                    elif "data" in fields:
                        yield json.loads(fields["data"])
                    last = fields.get("id", last)
        time.sleep(backoff(failures, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS))
        failures += 1


def _messages(response: HTTPResponse) -> Iterator[dict[str, str]]:
    """Yields the fields of each message (WHATWG, server-sent events) until the connection ends or is lost."""
    fields: dict[str, str] = {}
    while True:
        try:
            line = response.readline()
        except LOST:
            return
        if not line.endswith(b"\n"):
            return
        text = line.decode().rstrip("\r\n")
        if text == "":
            yield fields
            fields = {}
        else:
            add_field(fields, text)


def add_field(fields: dict[str, str], line: str) -> None:
    """Adds a line of a message to its fields."""
    name, _, value = line.partition(":")
    value = value.removeprefix(" ")
    fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value


def may_pass(problem: ApiProblem) -> bool:
    """Returns whether a stream that was open may be opened again after this refusal."""
    return problem.status in (0, 429) or problem.status >= 500
