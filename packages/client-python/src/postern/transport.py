"""Requests and their retries."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Any, Callable, Mapping, Optional, TypeVar
from urllib.parse import urljoin, urlsplit

from .problem import ApiProblem

T = TypeVar("T")

#: The errors of a lost connection.
LOST = (OSError, HTTPException)

FIRST_WAIT_SECONDS = 0.5
MAX_WAIT_SECONDS = 8.0

#: POSTs that may be repeated: a repeated refresh gets the same tokens again, and an unused upload expires.
REPEATABLE_POSTS = ("/api/auth/refresh", "/api/uploads")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because only the service may get the token of a session."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Request:
    """A request to a path of the service."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None

    def signed(self, token: str, account: Optional[str] = None) -> Request:
        """Returns the request with an access token, or with a key for an account."""
        about = {} if account is None else {"postern-account": account}
        headers = {**self.headers, **about, "authorization": f"Bearer {token}"}
        return Request(self.method, self.path, headers, self.body)

    @property
    def is_repeatable(self) -> bool:
        """Whether repeating the request has the same effect as sending it once."""
        return (
            self.method in ("GET", "HEAD", "DELETE")
            or self.path in REPEATABLE_POSTS
            or any(name.lower() == "idempotency-key" for name in self.headers)
        )


def backoff(failures: int, first: float = FIRST_WAIT_SECONDS, most: float = MAX_WAIT_SECONDS) -> float:
    """Returns a wait in seconds that doubles with each failure; half of it is random, so that clients spread out."""
    return min(first * 2.0**failures, most) * (0.5 + random.random() / 2)


def wait_after(problem: ApiProblem, request: Request, most: float) -> Optional[float]:
    """Returns the wait in seconds before a retry after a refusal; None if the refusal is final."""
    wait = problem.retry_after or 0.0
    may_pass = (
        problem.status == 429
        or (problem.status == 409 and problem.retry_after is not None)
        or (problem.status == 503 and request.is_repeatable)
    )
    return wait if may_pass and wait <= most else None


def refusal(status: int, body: bytes, retry_after: Optional[str]) -> ApiProblem:
    """Returns the problem of an unsuccessful answer."""
    return ApiProblem(status, _json_or_none(body), _seconds(retry_after))


def offline(base_url: str, error: Exception) -> ApiProblem:
    """Returns the problem of a missing answer."""
    return ApiProblem(0, {"code": "offline", "title": f"{base_url} cannot be reached: {error}"})


def path_at(base_url: str, url: str) -> str:
    """Returns the path of a URL relative to the service; refuses other URLs, because only the service may get the credential."""
    base = urlsplit(base_url)
    whole = urlsplit(urljoin(base_url, url))
    if whole.path.startswith(f"{base.path}/"):
        path = whole.path[len(base.path) :]
    else:
        # The service does not know the path at which it is mounted.
        path = whole.path
    if (whole.scheme, whole.netloc) != (base.scheme, base.netloc) or not path.startswith("/api/"):
        raise ValueError(f"{url} is not an address of {base_url}")
    return path + (f"?{whole.query}" if whole.query else "")


def read_bytes(response: HTTPResponse) -> bytes:
    """Reads the bytes of an answer to their end."""
    with response:
        return response.read()


def read_json(response: HTTPResponse) -> Any:
    """Reads an answer to its end and parses its JSON."""
    with response:
        return json.load(response)


def opened(response: HTTPResponse) -> HTTPResponse:
    """Returns an answer unread; the caller reads and closes it."""
    return response


class Transport:
    """Sends requests, and retries them after temporary faults.

    A request that may be repeated is retried after a lost connection and after a 503; any request after a 429, and
    after a 409 with `Retry-After`. The wait is that of `Retry-After` plus a random time.
    """

    def __init__(
        self,
        base_url: str,
        *,
        retries: int = 3,
        most_retry_after: float = 30.0,
        timeout: float = 75.0,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._retries = retries
        self._most_retry_after = most_retry_after
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def send(self, request: Request, read: Callable[[HTTPResponse], T], *, timeout: float | None = None) -> T:
        """Returns the result of `read` for a success; any other answer raises `ApiProblem`."""
        tried = 0
        while True:
            try:
                return read(self._open(request, timeout or self._timeout))
            except ApiProblem as problem:
                asked = wait_after(problem, request, self._most_retry_after)
                if asked is None or tried >= self._retries:
                    raise
                wait = asked
            except LOST as error:
                wait = 0.0
                if not request.is_repeatable or tried >= self._retries:
                    raise offline(self.base_url, error) from error
            time.sleep(wait + backoff(tried))
            tried += 1

    def _open(self, request: Request, timeout: float) -> HTTPResponse:
        made = urllib.request.Request(
            self.base_url + request.path, data=request.body, headers=dict(request.headers), method=request.method
        )
        try:
            response: HTTPResponse = self._opener.open(made, timeout=timeout)
            return response
        except urllib.error.HTTPError as error:
            with error:
                raise refusal(error.code, error.read(), error.headers["retry-after"]) from None


def _json_or_none(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _seconds(value: str | None) -> float | None:
    return float(value) if value is not None and value.isdecimal() else None
