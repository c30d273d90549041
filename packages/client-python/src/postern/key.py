"""The key of an application."""

from __future__ import annotations

from http.client import HTTPResponse
from typing import Callable, Optional, TypeVar

from .transport import Request, Transport

T = TypeVar("T")


class Key:
    """Shows a service key, and names the account that a request is about."""

    def __init__(self, transport: Transport, key: str, account: Optional[str] = None) -> None:
        self._transport = transport
        self._key = key
        self._account = account

    def of(self, account: str) -> Key:
        """Returns the key for an account."""
        return Key(self._transport, self._key, account)

    def send(self, request: Request, read: Callable[[HTTPResponse], T], *, timeout: float | None = None) -> T:
        """Sends a request as `Transport.send` does, with the key."""
        return self._transport.send(request.signed(self._key, self._account), read, timeout=timeout)
