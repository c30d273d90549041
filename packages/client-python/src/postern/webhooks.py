"""Verification of webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Literal, Mapping, Sequence

if TYPE_CHECKING:
    from .types import WebhookEvent

#: The maximum number of signatures that are checked. A rotation produces fewer, and each check costs a hash.
MAX_SIGNATURES = 10

Rejection = Literal["missing", "timestamp", "signature", "body"]


class WebhookRejected(Exception):
    """The request is not a webhook of the endpoint. Answer the request with a 400 and do nothing else.

    `reason` is `missing` (a required header is missing), `timestamp` (too old, too new or invalid), `signature` (signed
    with none of the secrets) or `body` (signed, but not an event).
    """

    def __init__(self, reason: Rejection, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """Returns the event of a webhook that is signed with one of the endpoint's secrets; raises `WebhookRejected`.

    `body` is the body exactly as received. `secret` is the endpoint's (`whsec_…`), or several secrets during a rotation.
    `tolerance` is the tolerated difference of the clocks in seconds; `now` is the time in seconds since 1970.
    """
    values = {name.lower(): value for name, value in headers.items()}
    event_id = _required(values, "webhook-id")
    timestamp = _required(values, "webhook-timestamp")
    signatures = [
        value.removeprefix("v1,").encode()
        for value in _required(values, "webhook-signature").split(" ")[:MAX_SIGNATURES]
        if value.startswith("v1,")
    ]
    sent = int(timestamp) if timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 15 else None
    if sent is None or abs((time.time() if now is None else now) - sent) > tolerance:
        raise WebhookRejected("timestamp", f"The webhook's time {timestamp} is more than {tolerance:g} s from now.")
    message = f"{event_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [base64.b64encode(hmac.digest(_key(one), message, hashlib.sha256)) for one in secrets]
    if not any([hmac.compare_digest(one, given) for one in expected for given in signatures]):
        raise WebhookRejected("signature", "The webhook is signed with none of the secrets.")
    return _event(body)


def _required(values: Mapping[str, str], name: str) -> str:
    value = values.get(name, "")
    if value == "":
        raise WebhookRejected("missing", f"The header {name} is missing.")
    return value


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise ValueError("the secret is not base64") from error


def _event(body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if (
        isinstance(event, dict)
        and all(isinstance(event.get(name), str) for name in ("id", "event", "timestamp"))
        and isinstance(event.get("data"), dict)
    ):
        return event  # type: ignore[return-value]
    raise WebhookRejected("body", "The webhook's body is no event.")
