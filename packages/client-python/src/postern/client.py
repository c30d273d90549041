"""The client of a service."""

from __future__ import annotations

import json as json_format
import time
import uuid
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, NoReturn, Sequence, cast
from urllib.parse import quote, urlencode

from .account import Account, caller
from .calls import text_of
from .events import follow
from .files import Content, form_of
from .key import Key
from .operations import ServiceCalls
from .problem import ApiProblem
from .session import Session, Tokens
from .sync import Ask, Call, Handlers, steps
from .transport import Request, Transport, opened, path_at, read_json

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import Email, Folder, MailEvent, Message, OutgoingItem, OutgoingMail, SendResult, UploadedFile


class Postern:
    """A client of the service at `base_url`. Threads may share it.

    With the `key` of an application, `account(address)` has the calls on one account, and `accounts`, `webhooks`, `keys`
    and `oauth` those on all accounts. A client without a key uses one mailbox, after `sign_in` or with the `tokens` of
    an earlier sign-in.

    `on_tokens` is called with each new pair, and with None when the session has ended. A request is retried up to
    `retries` times, after a growing random wait and the seconds of `Retry-After`, unless these exceed
    `most_retry_after`. `timeout` is the longest accepted silence of the service, in seconds.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str | None = None,
        tokens: Tokens | None = None,
        on_tokens: Callable[[Tokens | None], None] | None = None,
        retries: int = 3,
        most_retry_after: float = 30.0,
        timeout: float = 75.0,
    ) -> None:
        self._transport = Transport(base_url, retries=retries, most_retry_after=most_retry_after, timeout=timeout)
        self._session = Session(self._transport, tokens, on_tokens) if key is None else Key(self._transport, key)
        of_service = ServiceCalls(caller(self._session))
        self.accounts = of_service.accounts
        self.webhooks = of_service.webhooks
        self.changes = of_service.changes
        self.keys = of_service.keys
        self.oauth = of_service.oauth
        self.operator = of_service.operator

    def account(self, account: str) -> Account:
        """Returns the calls on an account, by its address or its id."""
        if not isinstance(self._session, Key):
            raise ValueError("a client without a key is of one account")
        return Account(self._transport, self._session.of(account))

    def sign_in(self, email: str, password: str) -> None:
        """Signs in, and uses the tokens for later requests."""
        if isinstance(self._session, Key):
            raise ValueError("a client with a key does not sign in")
        pair = self.request("POST", "/api/auth/mobile-login", json={"email": email, "password": password})
        self._session.use(Tokens(pair["token"], pair["refreshToken"]))

    def sign_out(self) -> None:
        """Ends the session, and drops its tokens."""
        self.request("POST", "/api/auth/logout")
        if isinstance(self._session, Session):
            self._session.use(None)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Calls any endpoint of the API and returns the JSON of the answer; raises `ApiProblem` unless it is a success."""
        given = {name: text_of(value) for name, value in (query or {}).items() if value is not None}
        where = f"{path}?{urlencode(given)}" if given else path
        sent = {"accept": "application/json", **(headers or {})}
        if json is None:
            return self._session.send(Request(method, where, sent), read_json)
        body = json_format.dumps(json).encode()
        return self._session.send(Request(method, where, {**sent, "content-type": "application/json"}, body), read_json)

    def all(self, path: str, *, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """Iterates over the items of all pages of a listing, such as `/api/inbox`; fetches a page when needed."""
        cursor: str | None = None
        while True:
            page = self.request("GET", path, query={**(query or {}), **({} if cursor is None else {"cursor": cursor})})
            yield from page["emails"] if "emails" in page else page["data"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def folders(self) -> list[Folder]:
        """Returns the folders of the mailbox."""
        return cast("list[Folder]", self.request("GET", "/api/folders")["folders"])

    def inbox(self, folder: str | None = None, *, limit: int | None = None) -> Iterator[Email]:
        """Iterates over the messages of INBOX or of another folder, latest first; `limit` is the size of a page."""
        return self.all("/api/inbox", query={"folder": folder, "limit": limit})

    def search(self, *, sender: str | None = None, **criteria: str | int | bool | None) -> Iterator[Email]:
        """Iterates over the messages that match all criteria of the API; `sender` is its `from`, a Python keyword."""
        return self.all("/api/search", query={"from": sender, **criteria})

    def message(self, message_id: str) -> Message:
        """Returns a message with its text, without marking it as read."""
        return cast("Message", self.request("GET", f"/api/messages/{quote(message_id, safe='')}")["data"])

    def upload(self, content: Content, *, name: str | None = None, media_type: str | None = None) -> UploadedFile:
        """Uploads a file for `attachments` of `send`. Bytes need a `name`."""
        form_type, body = form_of(content, name, media_type)
        request = Request("POST", "/api/uploads", {"accept": "application/json", "content-type": form_type}, body)
        return cast("UploadedFile", self._session.send(request, read_json)["data"])

    def send(self, *, idempotency_key: str | None = None, **mail: Unpack[OutgoingMail]) -> SendResult:
        """Sends a message: `to`, `subject`, and `text` or `html`.

        All attempts of a call share a key and send one message. Pass a key if the program may repeat the call.
        """
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        return cast("SendResult", self.request("POST", "/api/send", json=mail, headers=headers))

    def outbox(self) -> list[OutgoingItem]:
        """Returns the newest 200 outgoing messages with the state of each recipient."""
        return cast("list[OutgoingItem]", self.request("GET", "/api/outbox")["data"])

    def download(self, url: str) -> HTTPResponse:
        """Opens an attachment by its `url`, or a message by its `rawUrl`, as a file to read and close."""
        return self._session.send(Request("GET", path_at(self._transport.base_url, url)), opened)

    def events(
        self,
        *,
        last_event_id: str | None = None,
        folders: Sequence[str] | None = None,
        on_gap: Callable[[], None] | None = None,
    ) -> Iterator[MailEvent]:
        """Iterates endlessly over the events of the mailbox as they happen, from now on or after `last_event_id`.

        With a key, iterates over the events of all accounts that the key reaches. `folders` are roles and ids, by default
        `inbox`; `*` means all but Junk and Trash.

        If a connection is lost, or silent for 45 seconds, the iteration reconnects and continues after the last handled
        event. `on_gap` is called when events before the next one may be missing; list the mailbox again then. Raises
        `ApiProblem` if the first connection fails, or if the service refuses a later one.
        """
        return follow(self._session, last_event_id, on_gap, folders)

    def sync(
        self,
        account: str | None = None,
        *,
        on_message: Callable[[Email], object],
        on_moved: Callable[[Any], object],
        on_flags: Callable[[Any], object],
        on_gone: Callable[[str], object],
        position: str | None = None,
        on_position: Callable[[str], object] | None = None,
        known: Callable[[], Iterable[str]] | None = None,
    ) -> NoReturn:
        """Synchronizes a copy of a mailbox endlessly; with a key, that of `account`, which must follow all folders.

        Lists all folders first, or continues from `position`, the last argument of `on_position`: all earlier changes are
        handled, and later ones are delivered again after a restart. `on_message` stores a message, which may already be
        stored, `on_moved` its folder, `on_flags` its flags and labels, and `on_gone` removes it by its id. `known` returns
        the ids of stored messages, so that a comparison after a long pause removes those that are gone. Temporary faults
        are retried; raises `ApiProblem` for other faults, and the error of a handler.
        """
        if (account is None) == isinstance(self._session, Key):
            raise ValueError("a client with a key names the account, and one without does not")
        session = self._session.of(account) if isinstance(self._session, Key) and account else self._session
        running = steps(Handlers(on_message, on_moved, on_flags, on_gone, on_position, known), position)
        step = next(running)
        while True:
            try:
                if isinstance(step, Ask):
                    result = session.send(step.request(), read_json)
                else:
                    result = step.handler(*step.arguments) if isinstance(step, Call) else time.sleep(step.seconds)
            except ApiProblem as problem:
                step = running.throw(problem)
            else:
                step = running.send(result)
