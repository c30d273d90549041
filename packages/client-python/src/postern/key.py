"""The key of an application."""

from __future__ import annotations

from http.client import HTTPResponse
from typing import Callable, Optional, TypeVar

from .transport import Request, Transport

T = TypeVar("T")


class Key:
    """A service key, which signs requests and names the account of a request."""

    def __init__(self, transport: Transport, key: str, account: Optional[str] = None) -> None:
        self._transport = transport
        self._key = key
        self._account = account

    def of(self, account: str) -> Key:
        """Returns the key for an account."""
        return Key(self._transport, self._key, account)

    def send(self, request: Request, read: Callable[[HTTPResponse], T], *, timeout: float | None = None) -> T:
        """Sends a request with the key, like `Transport.send`."""
        return self._transport.send(request.signed(self._key, self._account), read, timeout=timeout)
