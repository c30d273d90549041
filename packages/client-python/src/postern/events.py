"""Live events as an iterator."""

from __future__ import annotations

import json
import time
from http.client import HTTPResponse
from typing import Any, Callable, Dict, Iterator, TypedDict

from .problem import ApiProblem
from .session import Session
from .transport import LOST, Request, backoff, opened

#: Three of the comments that the service sends every 15 seconds, in seconds.
LONGEST_SILENCE = 45.0

FIRST_WAIT_SECONDS = 1.0
MOST_WAIT_SECONDS = 30.0


class EventAccount(TypedDict):
    """The account that an event is about."""

    id: str
    email: str


class MailEvent(TypedDict):
    """An event as streams and webhooks deliver it. The same `id` may come more than once."""

    id: str
    event: str
    timestamp: str
    account: EventAccount
    data: Dict[str, Any]


def follow(session: Session, last: str | None, on_gap: Callable[[], None] | None) -> Iterator[MailEvent]:
    """Yields events, and connects again after the last one that the caller finished with."""
    was_open = False
    failures = 0
    while True:
        headers = {"accept": "text/event-stream", **({} if last is None else {"last-event-id": last})}
        try:
            request = Request("GET", "/api/events", headers)
            response = session.send(request, opened, timeout=LONGEST_SILENCE)
        except ApiProblem as problem:
            if not was_open or not (problem.status in (0, 429) or problem.status >= 500):
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
        time.sleep(backoff(failures, FIRST_WAIT_SECONDS, MOST_WAIT_SECONDS))
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
            continue
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
