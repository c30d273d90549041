"""The session of a client."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import Callable, TypeVar

from .problem import ApiProblem
from .transport import Request, Transport, read_json

T = TypeVar("T")


@dataclass(frozen=True)
class Tokens:
    """The tokens of a session. Keep them as secret as a password."""

    token: str
    refresh_token: str


class Session:
    """Signs requests; if the access token has expired, refreshes it and sends the request once more.

    Concurrent threads share one refresh.
    """

    def __init__(
        self, transport: Transport, tokens: Tokens | None, on_tokens: Callable[[Tokens | None], None] | None
    ) -> None:
        self._transport = transport
        self._tokens = tokens
        self._on_tokens = on_tokens
        self._refreshing = threading.Lock()

    def use(self, tokens: Tokens | None) -> None:
        """Replaces the tokens; None ends the session."""
        self._tokens = tokens
        if self._on_tokens is not None:
            self._on_tokens(tokens)

    def send(self, request: Request, read: Callable[[HTTPResponse], T], *, timeout: float | None = None) -> T:
        """Sends a signed request, like `Transport.send`."""
        used = self._tokens
        if used is None:
            return self._transport.send(request, read, timeout=timeout)
        try:
            return self._transport.send(request.signed(used.token), read, timeout=timeout)
        except ApiProblem as problem:
            # A refresh does not help against a 401 with another code, such as `mailbox_credentials_rejected`.
            if problem.status != 401 or problem.code != "unauthorized":
                raise
            successor = self._successor_of(used)
            if successor is None:
                raise
        return self._transport.send(request.signed(successor.token), read, timeout=timeout)

    def _successor_of(self, used: Tokens) -> Tokens | None:
        with self._refreshing:
            if self._tokens is not used:
                return self._tokens
            body = json.dumps({"refreshToken": used.refresh_token}).encode()
            request = Request("POST", "/api/auth/refresh", {"content-type": "application/json"}, body)
            try:
                pair = self._transport.send(request, read_json)
            except ApiProblem as problem:
                # Any failure except a refusal may be temporary, so the tokens stay and the caller gets its 401.
                if problem.status == 401:
                    self.use(None)
                return None
            self.use(Tokens(pair["token"], pair["refreshToken"]))
            return self._tokens
