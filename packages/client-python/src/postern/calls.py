"""Calls of operations, with and without asyncio."""

from __future__ import annotations

import json
import uuid
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generator, Generic, Iterator, Mapping, NamedTuple
from typing import NoReturn, Optional, Sequence, TypeVar
from urllib.parse import quote, urlencode

from .files import form_of
from .transport import Request

Page = TypeVar("Page")
Item = TypeVar("Item")


class Operation(NamedTuple):
    """An operation of the contract: its path, the arguments of a call, and the part of the answer that the call returns."""

    method: str
    path: str
    #: The kind of the body: `json` or `file`.
    body: Optional[str]
    #: Options that are sent as header fields; all others are parameters of the query.
    headers: Dict[str, str]
    #: The part of the answer: `member` or `pages`, with the member's name; all `members`; `nothing` or `bytes`.
    answer: str

    @property
    def items(self) -> Optional[str]:
        """The member of a page with the items; None if the answer is not a listing."""
        kind, _, member = self.answer.partition(" ")
        return member if kind == "pages" else None

    def request(self, ids: Sequence[str], payload: Any, options: Mapping[str, Any]) -> Request:
        """Returns the request of a call."""
        path = self.path
        for value in ids:
            # An empty id would lead to another path.
            if not value:
                raise ValueError(f"an id of {self.method} {self.path} is empty")
            start, end = path.index("{"), path.index("}")
            path = f"{path[:start]}{quote(value, safe='')}{path[end + 1 :]}"
        given = {_WIRE.get(name, name): value for name, value in options.items() if value is not None}
        query = {name: text_of(value) for name, value in given.items() if name not in self.headers}
        headers = {self.headers[name]: text_of(value) for name, value in given.items() if name in self.headers}
        if self.answer != "bytes":
            headers["accept"] = "application/json"
        body = None
        if self.body == "file":
            headers["content-type"], body = form_of(*payload)
        elif self.body == "json":
            headers["content-type"] = "application/json"
            body = json.dumps({_WIRE.get(name, name): value for name, value in payload.items()}).encode()
        return Request(self.method, f"{path}?{urlencode(query)}" if query else path, headers, body)

    def result(self, answer: Any) -> Any:
        """Returns the part of the answer that the call returns."""
        kind, _, member = self.answer.partition(" ")
        if kind == "nothing":
            return None
        if kind == "member":
            return answer[member]
        return {name: value for name, value in answer.items() if name != "ok"}


#: Names of the contract that are keywords of Python.
_WIRE = {"sender": "from"}


def text_of(value: Any) -> str:
    """Returns a value in the form of queries and header fields."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_send_key(name: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the options of a call; adds the key that all attempts share if the call sends a message."""
    if name not in ("send.send", "drafts.send") or options.get("idempotency_key") is not None:
        return options
    return {**options, "idempotency_key": str(uuid.uuid4())}


class Listing(Generic[Page, Item]):
    """A listing: iterates over the items of the requested page and of all later pages, which are fetched when needed."""

    def __init__(self, page_at: Callable[[Optional[str]], Any], items: str) -> None:
        self._page_at = page_at
        self._items = items

    def page(self) -> Page:
        """Fetches the requested page."""
        page: Page = self._page_at(None)
        return page

    def __getitem__(self, member: Any) -> NoReturn:
        raise TypeError(f"a listing has no members: iterate over it, or use its page, .page()[{member!r}]")

    def __iter__(self) -> Iterator[Item]:
        cursor: Optional[str] = None
        while True:
            page = self._page_at(cursor)
            yield from page[self._items]
            cursor = page["nextCursor"]
            if cursor is None:
                return


class AsyncListing(Generic[Page, Item]):
    """A listing: `await` fetches the requested page, `async for` iterates over its items and those of later pages."""

    def __init__(self, page_at: Callable[[Optional[str]], Awaitable[Any]], items: str) -> None:
        self._page_at = page_at
        self._items = items

    def __await__(self) -> Generator[Any, None, Page]:
        return self._page_at(None).__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        cursor: Optional[str] = None
        while True:
            page = await self._page_at(cursor)
            for item in page[self._items]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return


class Noun:
    """A group of operations. `call` takes the name of an operation, the ids of its path, its payload and its options."""

    def __init__(self, call: Callable[[str, Sequence[str], Any, Mapping[str, Any]], Any]) -> None:
        self._call = call
