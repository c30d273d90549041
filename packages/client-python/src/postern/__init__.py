"""Client of a Postern service: any IMAP/SMTP mailbox over HTTP."""

from .client import Postern
from .events import MailEvent
from .problem import ApiProblem, FieldFault
from .session import Tokens
from .webhooks import WebhookEvent, WebhookRejected, verify_webhook

__all__ = [
    "ApiProblem",
    "FieldFault",
    "MailEvent",
    "Postern",
    "Tokens",
    "WebhookEvent",
    "WebhookRejected",
    "verify_webhook",
]
