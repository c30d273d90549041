"""One account of a service."""

from __future__ import annotations

from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from .calls import Listing, with_send_key
from .events import follow
from .key import Key
from .operations import OPERATIONS, AccountCalls
from .session import Session
from .transport import Request, Transport, opened, path_at, read_bytes, read_json

if TYPE_CHECKING:
    from .types import MailEvent


def caller(sender: Union[Session, Key]) -> Callable[[str, Sequence[str], Any, Mapping[str, Any]], Any]:
    """Returns the function that makes calls by requests of a session or a key."""

    def call(name: str, ids: Sequence[str], payload: Any, options: Mapping[str, Any]) -> Any:
        operation = OPERATIONS[name]
        given = with_send_key(name, options)

        def at(cursor: Optional[str]) -> Any:
            request = operation.request(ids, payload, given if cursor is None else {**given, "cursor": cursor})
            if operation.answer == "bytes":
                return sender.send(request, read_bytes)
            return operation.result(sender.send(request, read_json))

        return at(None) if operation.items is None else Listing(at, operation.items)

    return call


class Account(AccountCalls):
    """The calls on one account."""

    def __init__(self, transport: Transport, key: Key) -> None:
        super().__init__(caller(key))
        self._base_url = transport.base_url
        self._key = key

    def download(self, url: str) -> HTTPResponse:
        """Opens an attachment by its `url`, or a message by its `rawUrl`, as a file to read and close."""
        return self._key.send(Request("GET", path_at(self._base_url, url)), opened)

    def events(
        self,
        *,
        last_event_id: Optional[str] = None,
        folders: Optional[Sequence[str]] = None,
        on_gap: Optional[Callable[[], None]] = None,
    ) -> Iterator[MailEvent]:
        """Iterates over the events of the account as they happen, like `Postern.events`."""
        return follow(self._key, last_event_id, on_gap, folders)
