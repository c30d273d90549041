"""The client for asyncio."""

from __future__ import annotations

import asyncio
import inspect
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Mapping, Optional, Sequence

import httpx

from .calls import AsyncListing, with_send_key
from .events import FIRST_WAIT_SECONDS, MAX_SILENCE_SECONDS, MAX_WAIT_SECONDS, add_field, may_pass, request_of
from .operations import OPERATIONS, AsyncAccountCalls, AsyncServiceCalls
from .problem import ApiProblem
from .sync import Ask, Call, Handlers, steps
from .transport import Request, backoff, offline, path_at, refusal, wait_after

if TYPE_CHECKING:
    from .types import MailEvent


class _Connection:
    """Sends requests with a key, and retries them after temporary faults, like `Transport`."""

    def __init__(self, base_url: str, key: str, retries: int, most_retry_after: float, timeout: float) -> None:
        self.base_url = base_url.rstrip("/")
        self.http = httpx.AsyncClient(timeout=timeout, follow_redirects=False)
        self._key = key
        self._retries = retries
        self._most_retry_after = most_retry_after

    async def send(
        self, request: Request, account: Optional[str], *, is_read: bool = True, timeout: Optional[float] = None
    ) -> httpx.Response:
        """Returns the answer of a successful request, read to its end unless `is_read` is false."""
        signed = request.signed(self._key, account)
        tried = 0
        while True:
            wait = 0.0
            try:
                return await self._answer(signed, is_read, timeout)
            except ApiProblem as problem:
                asked = wait_after(problem, signed, self._most_retry_after)
                if asked is None or tried >= self._retries:
                    raise
                wait = asked
            except httpx.TransportError as error:
                if not signed.is_repeatable or tried >= self._retries:
                    raise offline(self.base_url, error) from error
            await asyncio.sleep(wait + backoff(tried))
            tried += 1

    async def _answer(self, request: Request, is_read: bool, timeout: Optional[float]) -> httpx.Response:
        made = self.http.build_request(
            request.method,
            self.base_url + request.path,
            headers=dict(request.headers),
            content=request.body,
            timeout=self.http.timeout if timeout is None else timeout,
        )
        response = await self.http.send(made, stream=True)
        try:
            if not response.is_success:
                raise refusal(response.status_code, await response.aread(), response.headers.get("retry-after"))
            if is_read:
                await response.aread()
        except BaseException:
            await response.aclose()
            raise
        return response


def _caller(
    connection: _Connection, account: Optional[str]
) -> Callable[[str, Sequence[str], Any, Mapping[str, Any]], Any]:
    def call(name: str, ids: Sequence[str], payload: Any, options: Mapping[str, Any]) -> Any:
        operation = OPERATIONS[name]
        given = with_send_key(name, options)

        async def at(cursor: Optional[str]) -> Any:
            request = operation.request(ids, payload, given if cursor is None else {**given, "cursor": cursor})
            response = await connection.send(request, account)
            return response.content if operation.answer == "bytes" else operation.result(json.loads(response.content))

        return at(None) if operation.items is None else AsyncListing(at, operation.items)

    return call


class AsyncAccount(AsyncAccountCalls):
    """The calls on one account."""

    def __init__(self, connection: _Connection, account: str) -> None:
        super().__init__(_caller(connection, account))
        self._connection = connection
        self._account = account

    @asynccontextmanager
    async def download(self, url: str) -> AsyncIterator[httpx.Response]:
        """Opens an attachment by its `url`, or a message by its `rawUrl`: `async for part in response.aiter_bytes()`."""
        request = Request("GET", path_at(self._connection.base_url, url))
        response = await self._connection.send(request, self._account, is_read=False)
        try:
            yield response
        finally:
            await response.aclose()

    def events(
        self,
        *,
        last_event_id: Optional[str] = None,
        folders: Optional[Sequence[str]] = None,
        on_gap: Optional[Callable[[], Optional[Awaitable[None]]]] = None,
    ) -> AsyncIterator[MailEvent]:
        """Iterates over the events of the account as they happen, like `Postern.events`."""
        return _follow(self._connection, self._account, last_event_id, folders, on_gap)


async def _follow(
    connection: _Connection,
    account: Optional[str],
    last: Optional[str],
    folders: Optional[Sequence[str]],
    on_gap: Optional[Callable[[], Optional[Awaitable[None]]]],
) -> AsyncIterator[MailEvent]:
    was_open = False
    failures = 0
    while True:
        try:
            response = await connection.send(
                request_of(folders, last), account, is_read=False, timeout=MAX_SILENCE_SECONDS
            )
        except ApiProblem as problem:
            if not was_open or not may_pass(problem):
                raise
        else:
            was_open = True
            try:
                async for fields in _messages(response):
                    failures = 0
                    if fields.get("event") == "gap":
                        waiting = None if on_gap is None else on_gap()
                        if waiting is not None:
                            await waiting
                    elif "data" in fields:
                        yield json.loads(fields["data"])
                    last = fields.get("id", last)
            finally:
                await response.aclose()
        await asyncio.sleep(backoff(failures, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS))
        failures += 1


async def _messages(response: httpx.Response) -> AsyncIterator[dict[str, str]]:
    fields: dict[str, str] = {}
    rest = b""
    try:
        async for part in response.aiter_bytes():
            # `aiter_lines` would also end lines at U+2028, which JSON may contain.
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                text = line.decode().rstrip("\r")
                if text == "":
                    yield fields
                    fields = {}
                else:
                    add_field(fields, text)
    except httpx.TransportError:
        return


class AsyncPostern:
    """A client of an application for asyncio, with the methods of `Postern`. Requires `httpx`.

    Close the client with `aclose`, or use it in `async with`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str,
        retries: int = 3,
        most_retry_after: float = 30.0,
        timeout: float = 75.0,
    ) -> None:
        self._connection = _Connection(base_url, key, retries, most_retry_after, timeout)
        of_service = AsyncServiceCalls(_caller(self._connection, None))
        self.accounts = of_service.accounts
        self.webhooks = of_service.webhooks
        self.changes = of_service.changes
        self.keys = of_service.keys
        self.oauth = of_service.oauth
        self.operator = of_service.operator

    def account(self, account: str) -> AsyncAccount:
        """Returns the calls on an account, by its address or its id."""
        return AsyncAccount(self._connection, account)

    def events(
        self,
        *,
        last_event_id: Optional[str] = None,
        folders: Optional[Sequence[str]] = None,
        on_gap: Optional[Callable[[], Optional[Awaitable[None]]]] = None,
    ) -> AsyncIterator[MailEvent]:
        """Iterates over the events of all accounts that the key reaches, like `Postern.events`."""
        return _follow(self._connection, None, last_event_id, folders, on_gap)

    async def sync(
        self,
        account: str,
        *,
        on_message: Callable[[Any], object],
        on_moved: Callable[[Any], object],
        on_flags: Callable[[Any], object],
        on_gone: Callable[[str], object],
        position: Optional[str] = None,
        on_position: Optional[Callable[[str], object]] = None,
        known: Optional[Callable[[], object]] = None,
    ) -> None:
        """Synchronizes a copy of a mailbox until the task is cancelled, like `Postern.sync`; handlers may be coroutines."""
        running = steps(Handlers(on_message, on_moved, on_flags, on_gone, on_position, known), position)
        step = next(running)
        while True:
            result: Any = None
            try:
                if isinstance(step, Ask):
                    result = json.loads((await self._connection.send(step.request(), account)).content)
                elif isinstance(step, Call):
                    result = step.handler(*step.arguments)
                    if inspect.isawaitable(result):
                        result = await result
                else:
                    await asyncio.sleep(step.seconds)
            except ApiProblem as problem:
                step = running.throw(problem)
            else:
                step = running.send(result)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._connection.http.aclose()

    async def __aenter__(self) -> AsyncPostern:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
