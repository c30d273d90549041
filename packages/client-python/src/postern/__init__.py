"""Client of a Postern service: any IMAP/SMTP mailbox over HTTP."""

from typing import TYPE_CHECKING, Any

from .account import Account
from .calls import AsyncListing, Listing
from .client import Postern
from .problem import ApiProblem, FieldFault
from .session import Tokens
from .types import MailEvent, ProblemCode, WebhookEvent
from .webhooks import WebhookRejected, verify_webhook

if TYPE_CHECKING:
    from .async_client import AsyncAccount, AsyncPostern

__all__ = [
    "Account",
    "ApiProblem",
    "AsyncAccount",
    "AsyncListing",
    "AsyncPostern",
    "FieldFault",
    "Listing",
    "MailEvent",
    "Postern",
    "ProblemCode",
    "Tokens",
    "WebhookEvent",
    "WebhookRejected",
    "verify_webhook",
]


def __getattr__(name: str) -> Any:
    # httpx is needed only for asyncio.
    if name in ("AsyncAccount", "AsyncPostern"):
        from . import async_client

        return getattr(async_client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
