# Written by `npm run openapi` from the contract; change that instead.
"""Records of the API. A key that is `NotRequired` may be missing."""

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

#: Public keys (RFC 7517).
JsonWebKeySet = TypedDict(
    "JsonWebKeySet",
    {
        # The keys (RFC 7517): those in use, and those that still verify tokens.
        "keys": "List[Dict[str, Any]]",
    },
)

#: The state of the service.
Health = TypedDict(
    "Health",
    {
        # Always true in a success.
        "ok": "bool",
        # `live` or `ready`.
        "status": "str",
        # The background workers whose claims have all failed for a minute, if any.
        "failing": "NotRequired[List[str]]",
        # The names of the keys of `CREDENTIAL_KEYS` that stored secrets need and this process lacks, if any.
        "missingKeys": "NotRequired[List[str]]",
    },
)

#: The limits of the service.
Limits = TypedDict(
    "Limits",
    {
        # Messages per page if a request names no `limit`.
        "defaultPageSize": "int",
        # Messages per page at most.
        "maxPageSize": "int",
        # Size of a JSON request body at most, in bytes.
        "maxRequestBytes": "int",
        # Size of an encoded message at most, in bytes; lower if the account's mail server announced a lower limit.
        "maxMessageBytes": "int",
        # Size of an uploaded file at most, in bytes.
        "maxAttachmentBytes": "int",
        # Files of a message at most.
        "maxAttachments": "int",
        # Recipients of a message at most: `to`, `cc` and `bcc` together.
        "maxRecipients": "int",
        # Messages that the account may send in a minute.
        "sendPerMinute": "int",
        # Messages that the account may send in 24 hours.
        "sendPerDay": "int",
        # Webhook endpoints of the account at most.
        "maxWebhookEndpoints": "int",
        # Milliseconds from the end of a failed attempt to the next, for each retry of a webhook delivery.
        "webhookRetryDelays": "List[int]",
    },
)

#: A mail server.
OAuthAppImap = TypedDict(
    "OAuthAppImap",
    {
        # Host name or address.
        "host": "str",
        # Port.
        "port": "int",
        # How connections are encrypted.
        "security": "Literal['tls', 'starttls', 'none']",
        # User name; null: the address.
        "username": "Union[str, None]",
        # The pinned certificate; null if none is.
        "certificateSha256": "Union[str, None]",
    },
)

#: A mail server.
OAuthAppSmtp = TypedDict(
    "OAuthAppSmtp",
    {
        # Host name or address.
        "host": "str",
        # Port.
        "port": "int",
        # How connections are encrypted.
        "security": "Literal['tls', 'starttls', 'none']",
        # User name; null: the address.
        "username": "Union[str, None]",
        # The pinned certificate; null if none is.
        "certificateSha256": "Union[str, None]",
    },
)

#: An OAuth2 app, without its secret.
OAuthApp = TypedDict(
    "OAuthApp",
    {
        # Id of the app, chosen by the operator.
        "id": "str",
        # The provider; `oidc` is any that speaks OpenID Connect.
        "provider": "Literal['google', 'microsoft', 'oidc']",
        # Name for users.
        "label": "str",
        # Issuer; null: built in.
        "issuer": "Union[str, None]",
        # Tenant; null: `common`.
        "tenant": "Union[str, None]",
        # Client id at the provider; empty in mode `hook`.
        "clientId": "str",
        # How the app proves at the provider that it is itself.
        "authentication": "Literal['none', 'client_secret', 'private_key']",
        # `delegated`: each user consents. `application`: the app opens mailboxes with its own credentials. `hook`: `tokenUrl` issues the tokens.
        "mode": "Literal['delegated', 'application', 'hook']",
        # The token service of mode `hook`.
        "tokenUrl": "Union[str, None]",
        # Scopes; null: built in.
        "scopes": "Union[List[str], None]",
        # IMAP server of its accounts; null: by the address.
        "imap": "Union[OAuthAppImap, None]",
        # SMTP server of its accounts; null: by the address.
        "smtp": "Union[OAuthAppSmtp, None]",
        # Domains of its accounts; empty: all.
        "domains": "List[str]",
        # Whether the setting OAUTH_APPS names it.
        "fixed": "bool",
    },
)

#: A mail server of the account.
NewOAuthAppImap = TypedDict(
    "NewOAuthAppImap",
    {
        # Host name or address.
        "host": "str",
        # Port: 993 or 143 for IMAP, 465 or 587 for SMTP.
        "port": "int",
        # TLS from the start, or by STARTTLS.
        "security": "Literal['tls', 'starttls']",
        # User name at this server. Default: the address.
        "username": "NotRequired[str]",
        # SHA-256 of the only certificate to accept, in place of the check of its authority and name.
        "certificateSha256": "NotRequired[str]",
    },
)

#: A mail server of the account.
NewOAuthAppSmtp = TypedDict(
    "NewOAuthAppSmtp",
    {
        # Host name or address.
        "host": "str",
        # Port: 993 or 143 for IMAP, 465 or 587 for SMTP.
        "port": "int",
        # TLS from the start, or by STARTTLS.
        "security": "Literal['tls', 'starttls']",
        # User name at this server. Default: the address.
        "username": "NotRequired[str]",
        # SHA-256 of the only certificate to accept, in place of the check of its authority and name.
        "certificateSha256": "NotRequired[str]",
    },
)

#: A client registered at an OAuth2 provider.
NewOAuthApp = TypedDict(
    "NewOAuthApp",
    {
        # Id of the app, chosen by the operator.
        "id": "str",
        # The provider; `oidc` is any that speaks OpenID Connect.
        "provider": "Literal['google', 'microsoft', 'oidc']",
        # Name for users, as in “Continue with …”. Default: that of the provider; of `oidc`, the id.
        "label": "NotRequired[str]",
        # Issuer, for `oidc`; another cloud, for `microsoft`.
        "issuer": "NotRequired[str]",
        # Tenant, for `microsoft`. Default: `common`.
        "tenant": "NotRequired[str]",
        # Client id at the provider.
        "clientId": "NotRequired[str]",
        # Client secret. It is never shown again.
        "clientSecret": "NotRequired[str]",
        # Private key (PEM), or the JSON of a Google service account, in place of a secret. It is never shown again.
        "privateKey": "NotRequired[str]",
        # `delegated`: each user consents. `application`: the app opens mailboxes with its own credentials. `hook`: `tokenUrl` issues the tokens.
        "mode": "NotRequired[Literal['delegated', 'application', 'hook']]",
        # The token service of mode `hook`.
        "tokenUrl": "NotRequired[str]",
        # Scopes. Default: those of the provider for mail.
        "scopes": "NotRequired[List[str]]",
        # A mail server of the account.
        "imap": "NotRequired[NewOAuthAppImap]",
        # A mail server of the account.
        "smtp": "NotRequired[NewOAuthAppSmtp]",
        # Domains of its accounts. Default: all.
        "domains": "NotRequired[List[str]]",
    },
)

#: What ended with a key or an application, in numbers.
EndedData = TypedDict(
    "EndedData",
    {
        # Messages that waited to be sent, and are now held or cancelled.
        "messages": "int",
        # Deleted webhook endpoints.
        "endpoints": "int",
    },
)

#: A service key, without its secret.
ServiceKey = TypedDict(
    "ServiceKey",
    {
        # Id of the key; it is part of the key.
        "id": "str",
        # Version for `If-Match`; another once a request changes the record. Also in the header `ETag`.
        "version": "str",
        # Name of the key.
        "name": "str",
        # Name that the keys of one application share.
        "application": "str",
        # What the key may do.
        "scopes": "List[Scope]",
        # What the key reaches: accounts by id (`acc_…`), all addresses of a domain (`*@example.com`) or a tag (`tag:support`); null for all accounts.
        "accounts": "Union[List[str], None]",
        # Address blocks (CIDR) that the key is accepted from; null for all.
        "networks": "Union[List[str], None]",
        # When the key expires; null: never.
        "expiresAt": "Union[str, None]",
        # When the key was made.
        "createdAt": "str",
        # Time of the last request, to within a minute; null before the first.
        "lastUsedAt": "Union[str, None]",
        # Messages that the key may send in 24 hours, over all accounts; null: only the limits of accounts count.
        "sendPerDay": "Union[int, None]",
        # Address for notices about the webhook endpoints of the application; null: none.
        "notify": "Union[str, None]",
    },
)

#: A new service key.
MadeServiceKey = TypedDict(
    "MadeServiceKey",
    {
        # Id of the key; it is part of the key.
        "id": "str",
        # Version for `If-Match`; another once a request changes the record. Also in the header `ETag`.
        "version": "str",
        # Name of the key.
        "name": "str",
        # Name that the keys of one application share.
        "application": "str",
        # What the key may do.
        "scopes": "List[Scope]",
        # What the key reaches: accounts by id (`acc_…`), all addresses of a domain (`*@example.com`) or a tag (`tag:support`); null for all accounts.
        "accounts": "Union[List[str], None]",
        # Address blocks (CIDR) that the key is accepted from; null for all.
        "networks": "Union[List[str], None]",
        # When the key expires; null: never.
        "expiresAt": "Union[str, None]",
        # When the key was made.
        "createdAt": "str",
        # Time of the last request, to within a minute; null before the first.
        "lastUsedAt": "Union[str, None]",
        # Messages that the key may send in 24 hours, over all accounts; null: only the limits of accounts count.
        "sendPerDay": "Union[int, None]",
        # Address for notices about the webhook endpoints of the application; null: none.
        "notify": "Union[str, None]",
        # The key: send it as `Authorization: Bearer <key>`. It is not shown again: null in the answer to a repeat with the same `Idempotency-Key`.
        "key": "Union[str, None]",
    },
)

#: A service key to make.
NewServiceKey = TypedDict(
    "NewServiceKey",
    {
        # Name of the key, for people.
        "name": "str",
        # Name that the keys of one application share. Default: the id of the key.
        "application": "NotRequired[str]",
        # What the key may do.
        "scopes": "List[Scope]",
        # What the key reaches: accounts by id (`acc_…`), all addresses of a domain (`*@example.com`) or a tag (`tag:support`). Default: all accounts.
        "accounts": "NotRequired[List[str]]",
        # Address blocks (CIDR) that the key is accepted from. Default: all.
        "networks": "NotRequired[List[str]]",
        # When the key expires. Default: never.
        "expiresAt": "NotRequired[str]",
        # Messages that the key may send in 24 hours. Default: no limit of its own.
        "sendPerDay": "NotRequired[int]",
        # Address for notices about the webhook endpoints of the application. Default: none.
        "notify": "NotRequired[str]",
    },
)

#: A replay in progress.
ReplayTicket = TypedDict(
    "ReplayTicket",
    {
        # Id of the replay.
        "id": "str",
        # Deliveries queued so far.
        "queued": "int",
        # False while more deliveries are being queued.
        "complete": "bool",
    },
)

#: The events to replay.
ReplayOrder = TypedDict(
    "ReplayOrder",
    {
        # Events from this time on; at most 14 days ago.
        "since": "str",
        # Events before this time. Default: now.
        "until": "NotRequired[str]",
        # States of the deliveries to replay. Default: both.
        "states": "NotRequired[List[Literal['held', 'exhausted']]]",
    },
)

#: An event for an endpoint, with the attempts to deliver it.
WebhookDelivery = TypedDict(
    "WebhookDelivery",
    {
        # Id of the delivery.
        "id": "str",
        # Id of the event, as in the body and in the header `webhook-id`.
        "eventId": "str",
        # Event type.
        "event": "str",
        # Time of the event.
        "occurredAt": "str",
        # `event`: the event itself; `replay` or `resend`: a request.
        "trigger": "Literal['event', 'replay', 'resend']",
        # `held`: waits for a replay, because the endpoint is or was disabled; `exhausted`: the last retry failed.
        "state": "Literal['pending', 'held', 'in_flight', 'succeeded', 'exhausted', 'cancelled']",
        # Failed attempts since the delivery began, or since its last replay.
        "failures": "int",
        # Time of the next attempt; null if none is due.
        "nextAttemptAt": "Union[str, None]",
        # The attempts, oldest first.
        "attempts": "List[WebhookAttempt]",
    },
)

#: An attempt to deliver an event.
WebhookAttempt = TypedDict(
    "WebhookAttempt",
    {
        # Number of the attempt, from 1.
        "n": "int",
        # Start of the attempt.
        "startedAt": "str",
        # Milliseconds from the name look-up to the last byte of the answer.
        "ms": "int",
        # HTTP status of the answer; null if there was none.
        "status": "Union[int, None]",
        # Why there was no complete answer, such as `timeout` or `tls_expired`; null if there was one.
        "errorCode": "Union[str, None]",
        # Beginning of the answer's body, at most 4 KiB.
        "excerpt": "str",
    },
)

#: A new signing secret, before it replaces the current one.
AnnouncedSecret = TypedDict(
    "AnnouncedSecret",
    {
        # Signing secret, `whsec_…`. Store it now: it is not shown again.
        "secret": "str",
        # Until then deliveries carry signatures of both secrets.
        "activatesAt": "str",
        # The end of the current secret.
        "secretHint": "str",
    },
)

#: The answer of the receiver to a sample event.
WebhookTestResult = TypedDict(
    "WebhookTestResult",
    {
        # True if the receiver answered 2xx.
        "delivered": "bool",
        # HTTP status of the answer; null if there was none.
        "status": "Union[int, None]",
        # Why there was no complete answer, such as `timeout` or `tls_expired`; null if there was one.
        "errorCode": "Union[str, None]",
        # Milliseconds from the name look-up to the last byte of the answer.
        "ms": "int",
        # Beginning of the answer's body, at most 4 KiB.
        "excerpt": "str",
    },
)

#: A receiver of events.
WebhookEndpoint = TypedDict(
    "WebhookEndpoint",
    {
        # Id of the endpoint.
        "id": "str",
        # Version for `If-Match`; another once a request changes the record. Also in the header `ETag`.
        "version": "str",
        # Address of the receiver.
        "url": "str",
        # A note for people; empty if there is none.
        "description": "str",
        # Event types that are delivered.
        "events": "List[str]",
        # False: events are held until the endpoint is enabled and replayed.
        "enabled": "bool",
        # Time it was disabled; null if it is enabled.
        "disabledAt": "Union[str, None]",
        # `owner`: by request; `exhausted`: the last retry of an event failed; null if it is enabled.
        "disabledReason": "Union[Literal['owner', 'exhausted'], None]",
        # When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`.
        "disablePolicy": "Literal['literal', 'no_success']",
        # True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false.
        "honourRetryAfter": "bool",
        # True: the events of an account come one at a time, in the order they occurred. Default: false.
        "ordered": "bool",
        # Concurrent requests to the endpoint.
        "maxInFlight": "int",
        # The end of the current signing secret.
        "secretHint": "str",
        # Time of creation.
        "createdAt": "str",
        # Time of the last change.
        "updatedAt": "str",
        # Time of the last attempt; null before the first.
        "lastDeliveryAt": "Union[str, None]",
        # HTTP status of the last attempt; null if it got no answer.
        "lastStatus": "Union[int, None]",
        # Failed attempts since the last success.
        "consecutiveFailures": "int",
    },
)

#: Changes of a webhook endpoint. A field that is left out stays as it is.
WebhookEndpointChange = TypedDict(
    "WebhookEndpointChange",
    {
        # Address of the receiver: `https://` and a public host, 2,048 characters.
        "url": "NotRequired[str]",
        # Event types to deliver; `GET /api/settings/webhooks/event-types` lists them.
        "events": "NotRequired[List[str]]",
        # A note for people, at most 500 characters. Default: empty.
        "description": "NotRequired[str]",
        # When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`.
        "disablePolicy": "NotRequired[Literal['literal', 'no_success']]",
        # True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false.
        "honourRetryAfter": "NotRequired[bool]",
        # True: the events of an account come one at a time, in the order they occurred. Default: false.
        "ordered": "NotRequired[bool]",
        # Concurrent requests to the endpoint, 1 to 10, or 32 for an application; 1 per account if it is ordered. Default: 4.
        "maxInFlight": "NotRequired[int]",
    },
)

#: An event type.
WebhookEventType = TypedDict(
    "WebhookEventType",
    {
        # Name of the event type.
        "event": "str",
        # When the event occurs.
        "meaning": "str",
        # JSON Schema of `data`.
        "schema": "Any",
        # A sample body.
        "sample": "Any",
    },
)

#: A new webhook endpoint with its signing secret.
WebhookEndpointWithSecret = TypedDict(
    "WebhookEndpointWithSecret",
    {
        # Id of the endpoint.
        "id": "str",
        # Version for `If-Match`; another once a request changes the record. Also in the header `ETag`.
        "version": "str",
        # Address of the receiver.
        "url": "str",
        # A note for people; empty if there is none.
        "description": "str",
        # Event types that are delivered.
        "events": "List[str]",
        # False: events are held until the endpoint is enabled and replayed.
        "enabled": "bool",
        # Time it was disabled; null if it is enabled.
        "disabledAt": "Union[str, None]",
        # `owner`: by request; `exhausted`: the last retry of an event failed; null if it is enabled.
        "disabledReason": "Union[Literal['owner', 'exhausted'], None]",
        # When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`.
        "disablePolicy": "Literal['literal', 'no_success']",
        # True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false.
        "honourRetryAfter": "bool",
        # True: the events of an account come one at a time, in the order they occurred. Default: false.
        "ordered": "bool",
        # Concurrent requests to the endpoint.
        "maxInFlight": "int",
        # The end of the current signing secret.
        "secretHint": "str",
        # Time of creation.
        "createdAt": "str",
        # Time of the last change.
        "updatedAt": "str",
        # Time of the last attempt; null before the first.
        "lastDeliveryAt": "Union[str, None]",
        # HTTP status of the last attempt; null if it got no answer.
        "lastStatus": "Union[int, None]",
        # Failed attempts since the last success.
        "consecutiveFailures": "int",
        # Signing secret, `whsec_…`. Store it now: it is not shown again, and null in the answer to a repeat with the same `Idempotency-Key`.
        "secret": "Union[str, None]",
        # Accounts in the reach of an application's endpoint that are not watched yet; their events begin with the watch.
        "watchesPending": "int",
    },
)

#: The webhook endpoint to create.
NewWebhookEndpoint = TypedDict(
    "NewWebhookEndpoint",
    {
        # Address of the receiver: `https://` and a public host, 2,048 characters.
        "url": "str",
        # Event types to deliver; `GET /api/settings/webhooks/event-types` lists them.
        "events": "List[str]",
        # A note for people, at most 500 characters. Default: empty.
        "description": "NotRequired[str]",
        # When the last retry of an event fails: `literal` disables the endpoint; `no_success` only if no other delivery succeeded meanwhile. Default: `literal`.
        "disablePolicy": "NotRequired[Literal['literal', 'no_success']]",
        # True: `Retry-After` of the receiver lengthens a wait, at most twofold. Default: false.
        "honourRetryAfter": "NotRequired[bool]",
        # True: the events of an account come one at a time, in the order they occurred. Default: false.
        "ordered": "NotRequired[bool]",
        # Concurrent requests to the endpoint, 1 to 10, or 32 for an application; 1 per account if it is ordered. Default: 4.
        "maxInFlight": "NotRequired[int]",
    },
)

#: A message of the event stream.
ServerSentEvent = TypedDict(
    "ServerSentEvent",
    {
        # Id of the event: `Last-Event-ID` of the request that resumes the stream. A gap has none.
        "id": "NotRequired[str]",
        # Event type, such as `email.received`; `gap` if events may be missing before the next one.
        "event": "str",
        # `{id, event, timestamp, account, data}` as JSON text; `{}` for a gap.
        "data": "str",
    },
)

#: An uploaded file.
UploadedFile = TypedDict(
    "UploadedFile",
    {
        # Id of the upload.
        "id": "str",
        # File name, without folders.
        "name": "str",
        # Relative path for `attachments` of `POST /api/send`, and to download the file.
        "url": "str",
        # Media type, as the client declared it.
        "type": "str",
        # Size in bytes.
        "size": "int",
    },
)

#: A form with one file.
FileForm = TypedDict(
    "FileForm",
    {
        # The file, with its name; at most 25 MiB.
        "file": "str",
    },
)

#: A sender that the account may name.
Identity = TypedDict(
    "Identity",
    {
        # Id of the identity.
        "id": "str",
        # Version for `If-Match`; another once a request changes the record. Also in the header `ETag`.
        "version": "str",
        # Name in From; empty for none. The first is the account's own name.
        "name": "str",
        # Address in From.
        "address": "str",
        # Address for answers, unless a message names its own; null for none.
        "replyTo": "Union[str, None]",
        # Signature for plain text. Postern stores it for the program that composes the message.
        "signatureText": "str",
        # Signature for HTML, as it was stored: sanitise it before you show it.
        "signatureHtml": "str",
        # Whether it is the sender of messages without `from`; exactly one identity is.
        "isDefault": "bool",
        # Whether messages may be sent from it.
        "verified": "bool",
    },
)

#: Fields of an identity to change; omitted ones stay.
IdentityChange = TypedDict(
    "IdentityChange",
    {
        # Name in From. Default: empty.
        "name": "NotRequired[str]",
        # Address for answers; null or omitted for none.
        "replyTo": "NotRequired[Union[str, None]]",
        # Signature for plain text. Default: empty.
        "signatureText": "NotRequired[str]",
        # Signature for HTML. Default: empty.
        "signatureHtml": "NotRequired[str]",
        # `true` makes it the sender of messages without `from`, in place of the present one. It has to be verified.
        "isDefault": "NotRequired[bool]",
    },
)

#: A sender to add.
NewIdentity = TypedDict(
    "NewIdentity",
    {
        # Name in From. Default: empty.
        "name": "NotRequired[str]",
        # Address for answers; null or omitted for none.
        "replyTo": "NotRequired[Union[str, None]]",
        # Signature for plain text. Default: empty.
        "signatureText": "NotRequired[str]",
        # Signature for HTML. Default: empty.
        "signatureHtml": "NotRequired[str]",
        # `true` makes it the sender of messages without `from`, in place of the present one. It has to be verified.
        "isDefault": "NotRequired[bool]",
        # Address in From.
        "address": "str",
    },
)

#: A recipient that the SMTP server refused.
RejectedRecipient = TypedDict(
    "RejectedRecipient",
    {
        # Address of the recipient.
        "recipient": "str",
        # Enhanced status code (RFC 3463). Class 5 is permanent; class 4 is retried.
        "status": "str",
        # The answer of the SMTP server, in its words.
        "detail": "str",
    },
)

#: The outcome of the first attempt.
SendResult = TypedDict(
    "SendResult",
    {
        # Always true in a success.
        "ok": "bool",
        # Message-ID of the message.
        "messageId": "str",
        # Message-ID that the mail server gave the message instead, which recipients see; null if it kept ours.
        "providerMessageId": "Union[str, None]",
        # Id of the message in the outbox.
        "id": "str",
        # `sent`: the mail server accepted the message; `queued`: Postern goes on trying; `scheduled`: it waits for `sendAt`.
        "status": "Literal['sent', 'queued', 'scheduled']",
        # Recipients refused at the first attempt; those with a status of class 4 are retried.
        "rejected": "List[RejectedRecipient]",
    },
)

DraftReason = TypedDict(
    "DraftReason",
    {
        # Code of the reason, such as `recipient_refused`; `send_outcome_unknown`: it may have been sent.
        "reason": "str",
        # The reason in words.
        "detail": "str",
    },
)

DraftAttachments = TypedDict(
    "DraftAttachments",
    {
        # Id of the upload, which the draft keeps.
        "id": "str",
        # File name.
        "name": "str",
        # `url` of the upload, for `attachments` of a request.
        "url": "str",
        # Media type.
        "type": "str",
        # Size in bytes.
        "size": "int",
        # Content-ID of a picture that the HTML shows; null for other files.
        "contentId": "Union[str, None]",
    },
)

#: A message that is not sent yet.
Draft = TypedDict(
    "Draft",
    {
        # Id of the draft: it stays the same over all saves.
        "id": "str",
        # Version of the draft, for `If-Match`; also in the header `ETag`.
        "version": "str",
        # `sending`: it was handed to the outbox, and cannot be changed until its outcome is known.
        "state": "Literal['draft', 'sending']",
        # Why the last attempt to send it failed; null if there was none, or after a save.
        "reason": "Union[DraftReason, None]",
        # Time of the last save.
        "savedAt": "str",
        # Recipients. An entry that is not an address yet has the text as its `address`.
        "to": "List[Address]",
        # Recipients of a copy.
        "cc": "List[Address]",
        # Subject; empty if there is none.
        "subject": "str",
        # Sender: the id of an identity or an address; null for the default identity.
        "from": "Union[str, Address, None]",
        # Recipients that others do not see.
        "bcc": "List[Address]",
        # Addresses for answers.
        "replyTo": "List[Address]",
        # Plain text; null if there is none.
        "text": "Union[str, None]",
        # HTML; null if there is none. What another client wrote is sanitised, without remote resources.
        "html": "Union[str, None]",
        # The files.
        "attachments": "List[DraftAttachments]",
        # Message-ID in In-Reply-To; null for none.
        "inReplyTo": "Union[str, None]",
        # Message-IDs in References.
        "references": "List[str]",
        # Further header fields.
        "headers": "Dict[str, str]",
        # Whether openings raise events.
        "trackOpens": "bool",
        # When to send it, counted from the request to send; null: now.
        "sendAt": "Union[str, None]",
        # Id of the message that it answers; null if it is no answer.
        "replyToMessageId": "Union[str, None]",
        # Whether it may answer a message that a program wrote.
        "force": "bool",
    },
)

#: An address with its display name.
Address = TypedDict(
    "Address",
    {
        # Display name; empty if there is none.
        "name": "str",
        # E-mail address.
        "address": "str",
    },
)

#: What a draft is to say. All fields are optional; those that are omitted are empty.
DraftContents = TypedDict(
    "DraftContents",
    {
        # Sender: the id of an identity, or its address with or without a name. Default: the default identity.
        "from": "NotRequired[Union[str, NamedAddress]]",
        # Recipients: a comma-separated list, an address with a name, or an array. At most 100 with cc and bcc. Required unless `replyToMessageId` is given: an answer goes to the author by default.
        "to": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Recipients of a copy, in the forms of `to`.
        "cc": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Recipients that others do not see, in the forms of `to`.
        "bcc": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Addresses for replies, in the forms of `to`.
        "replyTo": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Subject; it may be empty. Required but in an answer or a forward, which take it from the original.
        "subject": "NotRequired[str]",
        # Plain text. Without it and `html`, an answer or a forward quotes the original; else one is required.
        "text": "NotRequired[str]",
        # HTML. Required without `text`.
        "html": "NotRequired[str]",
        # Files to attach: at most 20, 25 MiB each.
        "attachments": "NotRequired[List[AttachmentReference]]",
        # Message-ID for the field In-Reply-To.
        "inReplyTo": "NotRequired[str]",
        # Message-IDs for the field References, oldest first.
        "references": "NotRequired[Union[str, List[str]]]",
        # Id of the message that this one answers: sets In-Reply-To and References, marks it as answered.
        "replyToMessageId": "NotRequired[str]",
        # Id of a message to forward: attaches its files, and those of its pictures that `html` shows as `cid:…`.
        "forwardOf": "NotRequired[str]",
        # Further header fields: `Auto-Submitted`, `Precedence`, `Feedback-ID`, `Importance`, and names that begin with `List-` or `X-`, but not `X-Postern-Draft`.
        "headers": "NotRequired[Dict[str, str]]",
        "unsubscribe": "NotRequired[Unsubscribe]",
        # `true` answers `replyToMessageId` also if a program wrote that message, which is else 422 `automatic_message`. Default: `false`.
        "force": "NotRequired[bool]",
        # `true` raises `email.opened` when the HTML is opened. Default: `false`.
        "trackOpens": "NotRequired[bool]",
        # When to send, within a year. Default, and for a time in the past: now.
        "sendAt": "NotRequired[str]",
    },
)

#: Writes `List-Unsubscribe`, and with `oneClick` also `List-Unsubscribe-Post`.
Unsubscribe = TypedDict(
    "Unsubscribe",
    {
        # The https address of a page on which a recipient unsubscribes.
        "url": "str",
        # `true`: a POST to `url` unsubscribes without a question (RFC 8058). Default: `false`.
        "oneClick": "NotRequired[bool]",
    },
)

#: A file to attach: an upload, or its content.
AttachmentReference = TypedDict(
    "AttachmentReference",
    {
        # Id of the upload. Required without `content`.
        "id": "NotRequired[str]",
        # The file as base64, in place of an upload: 5 MiB at most, decoded, over all attachments of a request.
        "content": "NotRequired[str]",
        # File name for the recipient. Default: that of the upload, `attachment` for a file in `content`.
        "name": "NotRequired[str]",
        # `url` of the upload, checked if given. It is never fetched.
        "url": "NotRequired[str]",
        # Media type. Default: that of the upload, `application/octet-stream` for a file in `content`.
        "type": "NotRequired[str]",
        # Size in bytes; ignored.
        "size": "NotRequired[int]",
        # Content-ID of a picture that the HTML shows as `cid:…`.
        "contentId": "NotRequired[str]",
    },
)

#: An address as listings have it.
NamedAddress = TypedDict(
    "NamedAddress",
    {
        # Display name.
        "name": "NotRequired[str]",
        # E-mail address.
        "address": "str",
    },
)

#: A draft to make. All fields are optional.
NewDraft = TypedDict(
    "NewDraft",
    {
        # Sender: the id of an identity, or its address with or without a name. Default: the default identity.
        "from": "NotRequired[Union[str, NamedAddress]]",
        # Recipients: a comma-separated list, an address with a name, or an array. At most 100 with cc and bcc. Required unless `replyToMessageId` is given: an answer goes to the author by default.
        "to": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Recipients of a copy, in the forms of `to`.
        "cc": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Recipients that others do not see, in the forms of `to`.
        "bcc": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Addresses for replies, in the forms of `to`.
        "replyTo": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Subject; it may be empty. Required but in an answer or a forward, which take it from the original.
        "subject": "NotRequired[str]",
        # Plain text. Without it and `html`, an answer or a forward quotes the original; else one is required.
        "text": "NotRequired[str]",
        # HTML. Required without `text`.
        "html": "NotRequired[str]",
        # Files to attach: at most 20, 25 MiB each.
        "attachments": "NotRequired[List[AttachmentReference]]",
        # Message-ID for the field In-Reply-To.
        "inReplyTo": "NotRequired[str]",
        # Message-IDs for the field References, oldest first.
        "references": "NotRequired[Union[str, List[str]]]",
        # Id of the message that this one answers: sets In-Reply-To and References, marks it as answered.
        "replyToMessageId": "NotRequired[str]",
        # Id of a message to forward: attaches its files, and those of its pictures that `html` shows as `cid:…`.
        "forwardOf": "NotRequired[str]",
        # Further header fields: `Auto-Submitted`, `Precedence`, `Feedback-ID`, `Importance`, and names that begin with `List-` or `X-`, but not `X-Postern-Draft`.
        "headers": "NotRequired[Dict[str, str]]",
        "unsubscribe": "NotRequired[Unsubscribe]",
        # `true` answers `replyToMessageId` also if a program wrote that message, which is else 422 `automatic_message`. Default: `false`.
        "force": "NotRequired[bool]",
        # `true` raises `email.opened` when the HTML is opened. Default: `false`.
        "trackOpens": "NotRequired[bool]",
        # When to send, within a year. Default, and for a time in the past: now.
        "sendAt": "NotRequired[str]",
    },
)

DraftEntryReason = TypedDict(
    "DraftEntryReason",
    {
        # Code of the reason, such as `recipient_refused`; `send_outcome_unknown`: it may have been sent.
        "reason": "str",
        # The reason in words.
        "detail": "str",
    },
)

#: A draft in the list.
DraftEntry = TypedDict(
    "DraftEntry",
    {
        # Id of the draft: it stays the same over all saves.
        "id": "str",
        # Version of the draft, for `If-Match`; also in the header `ETag`.
        "version": "str",
        # `sending`: it was handed to the outbox, and cannot be changed until its outcome is known.
        "state": "Literal['draft', 'sending']",
        # Why the last attempt to send it failed; null if there was none, or after a save.
        "reason": "Union[DraftEntryReason, None]",
        # Time of the last save.
        "savedAt": "str",
        # Recipients. An entry that is not an address yet has the text as its `address`.
        "to": "List[Address]",
        # Recipients of a copy.
        "cc": "List[Address]",
        # Subject; empty if there is none.
        "subject": "str",
        # Whether it has files.
        "hasAttachments": "bool",
    },
)

OutgoingItemFailure = TypedDict(
    "OutgoingItemFailure",
    {
        # Code of the reason, such as `over_quota`.
        "reason": "str",
        # The reason in words.
        "detail": "str",
    },
)

OutgoingItemSentCopyFailure = TypedDict(
    "OutgoingItemSentCopyFailure",
    {
        # Code of the reason, such as `over_quota`.
        "reason": "str",
        # The reason in words.
        "detail": "str",
    },
)

#: The copy in the Sent folder.
OutgoingItemSentCopy = TypedDict(
    "OutgoingItemSentCopy",
    {
        # `none`: not due yet; `owed`: to be stored; `kept`: stored; `given_up`: Postern stopped trying to store it.
        "state": "Literal['none', 'owed', 'kept', 'given_up']",
        # Time of the next attempt; null if there is none.
        "nextAttemptAt": "Union[str, None]",
        # Why the copy is not stored; null if nothing failed.
        "failure": "Union[OutgoingItemSentCopyFailure, None]",
    },
)

#: A message in the outbox.
OutgoingItem = TypedDict(
    "OutgoingItem",
    {
        # Id of the message in the outbox.
        "id": "str",
        # Message-ID of the message.
        "messageId": "str",
        # Message-ID that the mail server gave the message instead, which recipients see; null if it kept ours.
        "providerMessageId": "Union[str, None]",
        # State of the message, derived from its recipients: `sent` if it was sent to at least one. `held`: the key that asked for it was deleted; it waits to be released, and is cancelled after 30 days.
        "state": "Literal['scheduled', 'queued', 'held', 'sending', 'sent', 'failed', 'unknown', 'cancelled']",
        # Subject of the message.
        "subject": "str",
        # Addresses in the field To.
        "to": "List[str]",
        # Addresses in the field Cc.
        "cc": "List[str]",
        # State of each recipient, bcc included.
        "recipients": "List[OutgoingRecipient]",
        # Time of the request.
        "createdAt": "str",
        # Time asked for by `sendAt`; null if there was none.
        "sendAt": "Union[str, None]",
        # Attempts after which recipients had to wait for a retry.
        "attempts": "int",
        # Time of the next attempt; null if there is none.
        "nextAttemptAt": "Union[str, None]",
        # Why the message failed; null if it did not.
        "failure": "Union[OutgoingItemFailure, None]",
        # The copy in the Sent folder.
        "sentCopy": "OutgoingItemSentCopy",
    },
)

#: A recipient of an outgoing message.
OutgoingRecipient = TypedDict(
    "OutgoingRecipient",
    {
        # Address of the recipient.
        "address": "str",
        # `unknown`: the connection was cut after the message was sent, so it may have arrived; it is not sent again.
        "state": "Literal['queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled']",
        # Enhanced status code (RFC 3463) of the last answer; null before the first.
        "status": "Union[str, None]",
        # Last answer of the SMTP server, in its words; null before the first.
        "detail": "Union[str, None]",
    },
)

#: The message to send. A new one needs `to`, `subject`, and `text` or `html`.
OutgoingMail = TypedDict(
    "OutgoingMail",
    {
        # Sender: the id of an identity, or its address with or without a name. Default: the default identity.
        "from": "NotRequired[Union[str, NamedAddress]]",
        # Recipients: a comma-separated list, an address with a name, or an array. At most 100 with cc and bcc. Required unless `replyToMessageId` is given: an answer goes to the author by default.
        "to": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Recipients of a copy, in the forms of `to`.
        "cc": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Recipients that others do not see, in the forms of `to`.
        "bcc": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Addresses for replies, in the forms of `to`.
        "replyTo": "NotRequired[Union[str, NamedAddress, List[Union[str, NamedAddress]]]]",
        # Subject; it may be empty. Required but in an answer or a forward, which take it from the original.
        "subject": "NotRequired[str]",
        # Plain text. Without it and `html`, an answer or a forward quotes the original; else one is required.
        "text": "NotRequired[str]",
        # HTML. Required without `text`.
        "html": "NotRequired[str]",
        # Files to attach: at most 20, 25 MiB each.
        "attachments": "NotRequired[List[AttachmentReference]]",
        # Message-ID for the field In-Reply-To.
        "inReplyTo": "NotRequired[str]",
        # Message-IDs for the field References, oldest first.
        "references": "NotRequired[Union[str, List[str]]]",
        # Id of the message that this one answers: sets In-Reply-To and References, marks it as answered.
        "replyToMessageId": "NotRequired[str]",
        # Id of a message to forward: attaches its files, and those of its pictures that `html` shows as `cid:…`.
        "forwardOf": "NotRequired[str]",
        # Further header fields: `Auto-Submitted`, `Precedence`, `Feedback-ID`, `Importance`, and names that begin with `List-` or `X-`, but not `X-Postern-Draft`.
        "headers": "NotRequired[Dict[str, str]]",
        "unsubscribe": "NotRequired[Unsubscribe]",
        # `true` answers `replyToMessageId` also if a program wrote that message, which is else 422 `automatic_message`. Default: `false`.
        "force": "NotRequired[bool]",
        # `true` raises `email.opened` when the HTML is opened. Default: `false`.
        "trackOpens": "NotRequired[bool]",
        # When to send, within a year. Default, and for a time in the past: now.
        "sendAt": "NotRequired[str]",
    },
)

#: A page of search results.
FoundPage = TypedDict(
    "FoundPage",
    {
        # Always true in a success.
        "ok": "bool",
        # Path of the folder searched; null if all folders were searched.
        "folder": "Union[str, None]",
        # Number of this page, from 1.
        "page": "int",
        # Messages per page as applied: at most 200.
        "limit": "int",
        # Number of messages on all pages.
        "total": "int",
        # Number of unread messages on all pages.
        "unread": "int",
        # Number of pages.
        "pages": "int",
        # `cursor` of the request for the next page; null on the last page.
        "nextCursor": "Union[str, None]",
        # The messages of this page, latest arrival first.
        "emails": "List[Email]",
    },
)

#: A message in a listing.
Email = TypedDict(
    "Email",
    {
        # Id of the message: opaque, and valid for this account only. Every move gives the message another.
        "id": "str",
        # IMAP UID of the message in its folder.
        "uid": "int",
        # Path of the folder that contains the message.
        "folder": "str",
        # Message-ID field; null if there is none.
        "messageId": "Union[str, None]",
        # Id of the conversation: that of the mail server, else derived from References, In-Reply-To or Message-ID; null if the message has none of them. It is the same for all messages of the conversation, except for an answer to an answer whose sender left out References: a derived id stands for the message that it answers.
        "threadId": "Union[str, None]",
        # Subject, decoded; empty if there is none.
        "subject": "str",
        # Address of the sender; empty if there is none.
        "from": "str",
        # Display name of the sender; empty if there is none.
        "fromName": "str",
        # Recipients in the field To, the first 200.
        "to": "List[Address]",
        # Recipients in the field Cc, the first 200.
        "cc": "List[Address]",
        # Number of all recipients in the field To.
        "toCount": "int",
        # Number of all recipients in the field Cc.
        "ccCount": "int",
        # True if `to` or `cc` has not all recipients of its field.
        "truncated": "bool",
        # Time of arrival.
        "date": "str",
        # Date field, as the sender wrote it; null if unreadable.
        "sentAt": "Union[str, None]",
        # True until the message is marked as read.
        "unread": "bool",
        # True if the message is flagged (starred).
        "flagged": "bool",
        # True if the message is marked as answered.
        "answered": "bool",
        # True if the message is a draft.
        "draft": "bool",
        # Size of the whole message in bytes, as stored.
        "size": "int",
        # True if the message has attachments.
        "hasAttachments": "bool",
        # The attachments of the message.
        "attachments": "List[AttachmentSummary]",
        # What a person reads first of the message, at most 200 characters, in listings and searches; null elsewhere, and where it has no text.
        "preview": "Union[str, None]",
    },
)

#: An attachment in a listing.
AttachmentSummary = TypedDict(
    "AttachmentSummary",
    {
        # Id of the attachment, within its message.
        "id": "str",
        # File name; null if there is none.
        "name": "Union[str, None]",
        # Media type, as the sender declared it.
        "type": "str",
        # Decoded size in bytes, estimated from the encoded size.
        "size": "int",
    },
)

MessageBatchResultDataResults = TypedDict(
    "MessageBatchResultDataResults",
    {
        # Id that the message had.
        "id": "str",
        # False if the message was not found.
        "ok": "bool",
        # Id of the message from now on; null if it is deleted, or if the mail server does not report it.
        "newId": "Union[str, None]",
        # Error code of this message; null if it was changed.
        "code": "Union[Literal['message_not_found'], None]",
    },
)

#: The results.
MessageBatchResultData = TypedDict(
    "MessageBatchResultData",
    {
        # Id of the folder that contains the messages now; null if they were not moved.
        "movedTo": "Union[str, None]",
        # One result for each message, in the order asked.
        "results": "List[MessageBatchResultDataResults]",
    },
)

#: The results of a batch.
MessageBatchResult = TypedDict(
    "MessageBatchResult",
    {
        # Always true in a success.
        "ok": "bool",
        # The results.
        "data": "MessageBatchResultData",
    },
)

#: Messages, by `ids` or by `query`, and the action: `change` or `delete`.
MessageBatchRequest = TypedDict(
    "MessageBatchRequest",
    {
        # Ids of 1 to 1,000 messages. Give `ids` or `query`.
        "ids": "NotRequired[List[str]]",
        "query": "NotRequired[BatchQuery]",
        "change": "NotRequired[MessageChange]",
        # `trash` moves the messages to Trash; `permanent` destroys them.
        "delete": "NotRequired[Literal['trash', 'permanent']]",
    },
)

#: Changes of a message: at least one. A field that is left out stays as it is.
MessageChange = TypedDict(
    "MessageChange",
    {
        # `true` marks as unread, `false` as read.
        "unread": "NotRequired[bool]",
        # `true` sets the flag (star), `false` removes it.
        "flagged": "NotRequired[bool]",
        # `true` marks as answered, `false` removes the mark.
        "answered": "NotRequired[bool]",
        # Id of the folder to move to.
        "folderId": "NotRequired[str]",
    },
)

#: Criteria of the messages: the newest 1,000 that meet all of them.
BatchQuery = TypedDict(
    "BatchQuery",
    {
        # Folder to search: `INBOX`, an id, a path, or a name that is unique. Default: all folders.
        "folder": "NotRequired[str]",
        # Text in the field From: part of a name or an address.
        "from": "NotRequired[str]",
        # Text in the field To: part of a name or an address.
        "to": "NotRequired[str]",
        # Text in the field Cc: part of a name or an address.
        "cc": "NotRequired[str]",
        # Text in the subject.
        "subject": "NotRequired[str]",
        # Text in the header or the body.
        "text": "NotRequired[str]",
        # First day of arrival, `YYYY-MM-DD`, in the time zone of the mail server.
        "since": "NotRequired[str]",
        # Messages that arrived before this day, `YYYY-MM-DD`, in the time zone of the mail server.
        "before": "NotRequired[str]",
        # `true`: unread messages only; `false`: read messages only.
        "unread": "NotRequired[bool]",
        # `true`: flagged messages only; `false`: the others only.
        "flagged": "NotRequired[bool]",
        # `true`: messages with attachments only; `false`: the others only.
        "hasAttachments": "NotRequired[bool]",
        # Messages larger than this many bytes.
        "larger": "NotRequired[int]",
        # Messages smaller than this many bytes.
        "smaller": "NotRequired[int]",
    },
)

#: A deleted message, and where it is now.
RemovedMessage = TypedDict(
    "RemovedMessage",
    {
        # Id that the message had.
        "id": "str",
        # Always true.
        "deleted": "bool",
        # Id of the folder that contains the message now; null if it was destroyed.
        "movedTo": "Union[str, None]",
        # Id of the message from now on; null if it is deleted, or if the mail server does not report it.
        "newId": "Union[str, None]",
    },
)

#: A message after a change.
ChangedMessage = TypedDict(
    "ChangedMessage",
    {
        # Id of the message from now on; null if it is deleted, or if the mail server does not report it.
        "id": "Union[str, None]",
        # IMAP UID of the message in its folder; null if the mail server does not report it.
        "uid": "Union[int, None]",
        # Path of the folder that contains the message.
        "folder": "str",
        # Message-ID field; null if there is none.
        "messageId": "Union[str, None]",
        # Id of the conversation: that of the mail server, else derived from References, In-Reply-To or Message-ID; null if the message has none of them. It is the same for all messages of the conversation, except for an answer to an answer whose sender left out References: a derived id stands for the message that it answers.
        "threadId": "Union[str, None]",
        # Subject, decoded; empty if there is none.
        "subject": "str",
        # Address of the sender; empty if there is none.
        "from": "str",
        # Display name of the sender; empty if there is none.
        "fromName": "str",
        # Recipients in the field To, the first 200.
        "to": "List[Address]",
        # Recipients in the field Cc, the first 200.
        "cc": "List[Address]",
        # Number of all recipients in the field To.
        "toCount": "int",
        # Number of all recipients in the field Cc.
        "ccCount": "int",
        # True if `to` or `cc` has not all recipients of its field.
        "truncated": "bool",
        # Time of arrival.
        "date": "str",
        # Date field, as the sender wrote it; null if unreadable.
        "sentAt": "Union[str, None]",
        # True until the message is marked as read.
        "unread": "bool",
        # True if the message is flagged (starred).
        "flagged": "bool",
        # True if the message is marked as answered.
        "answered": "bool",
        # True if the message is a draft.
        "draft": "bool",
        # Size of the whole message in bytes, as stored.
        "size": "int",
        # True if the message has attachments.
        "hasAttachments": "bool",
        # The attachments of the message.
        "attachments": "List[AttachmentSummary]",
        # What a person reads first of the message, at most 200 characters, in listings and searches; null elsewhere, and where it has no text.
        "preview": "Union[str, None]",
    },
)

#: A message.
MessageAnswer = TypedDict(
    "MessageAnswer",
    {
        # Always true in a success.
        "ok": "bool",
        "data": "Message",
    },
)

MessageHeaders = TypedDict(
    "MessageHeaders",
    {
        # Name of the header field, as written.
        "name": "str",
        # Value of the header field, decoded to Unicode.
        "value": "str",
    },
)

MessageAuthentication = TypedDict(
    "MessageAuthentication",
    {
        # Result such as `pass`, `fail` or `none` (RFC 8601, 2.7); null if the server does not say.
        "spf": "Union[str, None]",
        # Result such as `pass`, `fail` or `none` (RFC 8601, 2.7); null if the server does not say.
        "dkim": "Union[str, None]",
        # Result such as `pass`, `fail` or `none` (RFC 8601, 2.7); null if the server does not say.
        "dmarc": "Union[str, None]",
        # Name of the mail server that says so.
        "source": "str",
    },
)

#: A message with its text, header fields and attachments.
Message = TypedDict(
    "Message",
    {
        # Id of the message: opaque, and valid for this account only. Every move gives the message another.
        "id": "str",
        # IMAP UID of the message in its folder.
        "uid": "int",
        # Path of the folder that contains the message.
        "folder": "str",
        # Message-ID field; null if there is none.
        "messageId": "Union[str, None]",
        # Id of the conversation: that of the mail server, else derived from References, In-Reply-To or Message-ID; null if the message has none of them. It is the same for all messages of the conversation, except for an answer to an answer whose sender left out References: a derived id stands for the message that it answers.
        "threadId": "Union[str, None]",
        # Subject, decoded; empty if there is none.
        "subject": "str",
        # Address of the sender; empty if there is none.
        "from": "str",
        # Display name of the sender; empty if there is none.
        "fromName": "str",
        # Recipients in the field To, the first 200.
        "to": "List[Address]",
        # Recipients in the field Cc, the first 200.
        "cc": "List[Address]",
        # Number of all recipients in the field To.
        "toCount": "int",
        # Number of all recipients in the field Cc.
        "ccCount": "int",
        # True if `text` or `html` was cut at 2 MiB, `to` or `cc` at 200 recipients, or a value of `headers` at 16,384 characters; `rawUrl` has all of it.
        "truncated": "bool",
        # Time of arrival.
        "date": "str",
        # Date field, as the sender wrote it; null if unreadable.
        "sentAt": "Union[str, None]",
        # True until the message is marked as read.
        "unread": "bool",
        # True if the message is flagged (starred).
        "flagged": "bool",
        # True if the message is marked as answered.
        "answered": "bool",
        # True if the message is a draft.
        "draft": "bool",
        # Size of the whole message in bytes, as stored.
        "size": "int",
        # True if the message has attachments.
        "hasAttachments": "bool",
        # All parts of the message that are not read as text.
        "attachments": "List[MessageAttachment]",
        # What a person reads first of the message, at most 200 characters, in listings and searches; null elsewhere, and where it has no text.
        "preview": "Union[str, None]",
        # Whether a program wrote the message, such as a note of absence or a bulk mailing: do not answer by program.
        "automatic": "bool",
        # Reply-To field; empty if there is none.
        "replyTo": "str",
        # Message-ID of the message that this one answers; null if there is none.
        "inReplyTo": "Union[str, None]",
        # Message-IDs of the conversation, oldest first.
        "references": "List[str]",
        # Header fields in the order of the message, at most 500.
        "headers": "List[MessageHeaders]",
        # Plain text, made from the HTML if the message has none; null without either.
        "text": "Union[str, None]",
        # `text` without quoted history and signature. Answers within quoted text are kept; where it is not certain what is quoted, nothing is cut. Null without a text.
        "newText": "Union[str, None]",
        # The history that `newText` is without; empty if there is none, null without a text.
        "quotedText": "Union[str, None]",
        # Sanitised HTML: nothing in it runs, and it loads nothing but attachments of this message. The addresses of remote pictures are in `data-remote-src`. Null if the message has no HTML.
        "html": "Union[str, None]",
        # Results in the topmost Authentication-Results (RFC 8601), which the receiving mail server adds; null if there is none.
        "authentication": "Union[MessageAuthentication, None]",
        # Number of remote resources that were removed from the HTML.
        "blockedRemote": "int",
        # False if the message could not be parsed: `text`, `html` and `headers` are missing then, and `rawUrl` has all of it.
        "parsed": "bool",
        # Why the message could not be parsed; retry only if it is `busy`. Null if it was parsed.
        "parseFault": "Union[Literal['malformed', 'too_slow', 'crashed', 'quarantined', 'busy'], None]",
        # Path of the message as it was received.
        "rawUrl": "str",
    },
)

#: An attachment of a message.
MessageAttachment = TypedDict(
    "MessageAttachment",
    {
        # Id of the attachment, within its message.
        "id": "str",
        # File name; null if there is none.
        "name": "Union[str, None]",
        # Media type, as the sender declared it.
        "type": "str",
        # Decoded size in bytes, estimated from the encoded size.
        "size": "int",
        # True for a picture that the HTML shows.
        "inline": "bool",
        # Content-ID field; null if there is none.
        "contentId": "Union[str, None]",
        # Path of the download, on this service and with the same credential.
        "url": "str",
    },
)

#: A page of a listing.
EmailPage = TypedDict(
    "EmailPage",
    {
        # Always true in a success.
        "ok": "bool",
        # Path of the folder listed.
        "folder": "str",
        # Number of this page, from 1.
        "page": "int",
        # Messages per page as applied: at most 200.
        "limit": "int",
        # Number of messages on all pages.
        "total": "int",
        # Number of unread messages on all pages.
        "unread": "int",
        # Number of pages.
        "pages": "int",
        # `cursor` of the request for the next page; null on the last page.
        "nextCursor": "Union[str, None]",
        # The messages of this page, latest arrival first.
        "emails": "List[Email]",
    },
)

#: A deleted folder, and where its messages are now.
RemovedFolder = TypedDict(
    "RemovedFolder",
    {
        # Id that the folder had.
        "id": "str",
        # Always true.
        "deleted": "bool",
        # Id of the folder that contains the messages now; null if they were destroyed.
        "movedTo": "Union[str, None]",
        # Number of messages that were moved.
        "movedCount": "int",
    },
)

#: A folder of the user.
ManagedFolder = TypedDict(
    "ManagedFolder",
    {
        # Id of the folder. It does not change when the folder is renamed.
        "id": "str",
        # Version for `If-Match`; another once a request changes the record. Also in the header `ETag`.
        "version": "str",
        # Name of the folder, without its parents.
        "name": "str",
        # Id of the parent; null at the top level.
        "parentId": "Union[str, None]",
        # Time of creation; for a folder created by another client, when Postern first saw it.
        "createdAt": "str",
        # Number of messages.
        "messageCount": "int",
    },
)

#: Changes of a folder: `name`, `parentId` or both. A field that is left out stays as it is.
FolderChange = TypedDict(
    "FolderChange",
    {
        # Name of the folder: 1 to 255 bytes as IMAP encodes it, without control characters, the delimiter, `*`, `%`, `..` or spaces at either end. It must differ from its siblings' by more than case.
        "name": "NotRequired[str]",
        # Id of the parent folder; null for the top level. Folders nest at most 10 levels deep.
        "parentId": "NotRequired[Union[str, None]]",
    },
)

#: The folder to create.
NewFolder = TypedDict(
    "NewFolder",
    {
        # Name of the folder: 1 to 255 bytes as IMAP encodes it, without control characters, the delimiter, `*`, `%`, `..` or spaces at either end. It must differ from its siblings' by more than case.
        "name": "str",
        # Id of the parent folder; null for the top level. Folders nest at most 10 levels deep.
        "parentId": "NotRequired[Union[str, None]]",
    },
)

#: The folders of the mailbox.
FolderList = TypedDict(
    "FolderList",
    {
        # Always true in a success.
        "ok": "bool",
        # All folders: those with a role first, then by path.
        "folders": "List[Folder]",
    },
)

#: A folder of the mailbox.
Folder = TypedDict(
    "Folder",
    {
        # The role for a folder that has one, otherwise `f_…`. It does not change when the folder is renamed.
        "id": "str",
        # Name of the folder, without its parents.
        "name": "str",
        # Number of unread messages.
        "unreadCount": "int",
        # Number of messages.
        "totalCount": "int",
        # Names of the parents and of the folder, joined by `delimiter`.
        "path": "str",
        # Purpose of the folder; null for a folder of the user.
        "role": "Union[Literal['inbox', 'sent', 'drafts', 'trash', 'junk', 'archive'], None]",
        # Id of the parent; null at the top level.
        "parentId": "Union[str, None]",
        # Character between the names in `path`; null if the mail server has one level only.
        "delimiter": "Union[str, None]",
        # False for a folder that contains folders only, no messages.
        "selectable": "bool",
    },
)

AccountReason = TypedDict(
    "AccountReason",
    {
        # What is wrong: a `cause` of checks, or a fault of the OAuth2 grant.
        "code": "Literal['not_found', 'refused', 'timeout', 'tls_failed', 'certificate_untrusted', 'starttls_missing', 'not_a_mail_server', 'auth_refused', 'app_password_required', 'oauth_required', 'basic_auth_disabled', 'imap_disabled', 'too_many_connections', 'unavailable', 'address_denied', 'server_flood', 'protocol', 'grant_revoked', 'password_changed', 'grant_expired', 'mfa_required', 'consent_required', 'token_lost', 'token_refused', 'app_misconfigured', 'provider_unavailable', 'sign_in_unclear']",
        # What the code means, and what to do.
        "message": "str",
        # Since when.
        "since": "str",
    },
)

#: The sign-in at its mail servers.
AccountAuth = TypedDict(
    "AccountAuth",
    {
        # How it signs in.
        "kind": "Literal['password', 'oauth2', 'application']",
        # Id of the OAuth2 app; null for passwords.
        "provider": "Union[str, None]",
    },
)

#: A mail server.
AccountImap = TypedDict(
    "AccountImap",
    {
        # Host name or address.
        "host": "str",
        # Port.
        "port": "int",
        # How connections are encrypted.
        "security": "Literal['tls', 'starttls', 'none']",
        # User name; null: the address.
        "username": "Union[str, None]",
        # The pinned certificate; null if none is.
        "certificateSha256": "Union[str, None]",
    },
)

#: A mail server.
AccountSmtp = TypedDict(
    "AccountSmtp",
    {
        # Host name or address.
        "host": "str",
        # Port.
        "port": "int",
        # How connections are encrypted.
        "security": "Literal['tls', 'starttls', 'none']",
        # User name; null: the address.
        "username": "Union[str, None]",
        # The pinned certificate; null if none is.
        "certificateSha256": "Union[str, None]",
    },
)

#: A mailbox that Postern serves.
Account = TypedDict(
    "Account",
    {
        # Id of the account, `acc_…`. It stays and reveals nothing.
        "id": "str",
        # Version for `If-Match`; another once a request changes the record. Also in the header `ETag`.
        "version": "str",
        # Address of the account.
        "email": "str",
        # Name of its owner.
        "name": "Union[str, None]",
        # Whether its credential is kept until the account is deleted; otherwise a sign-in created it.
        "managed": "bool",
        # `active`; `needs_reauth`: the mail server refuses the credential; `paused` by its owner; `unreachable`: its mail servers do not answer.
        "state": "Literal['active', 'needs_reauth', 'paused', 'unreachable']",
        # Why the account is not active; null if it is, or is paused.
        "reason": "Union[AccountReason, None]",
        # The sign-in at its mail servers.
        "auth": "AccountAuth",
        # Its IMAP server; null if none is known.
        "imap": "Union[AccountImap, None]",
        # Its SMTP server; null if none is known.
        "smtp": "Union[AccountSmtp, None]",
        # What the IMAP server could do at the last verification.
        "capabilities": "List[str]",
        # The known provider that runs the servers.
        "provider": "Union[str, None]",
        # Tags, by which keys and lists select accounts.
        "tags": "List[str]",
        # Whether its arrivals are announced at the moment.
        "watched": "bool",
        # When it came.
        "createdAt": "str",
        # When its mail server last accepted it; accurate to five minutes.
        "lastSeenAt": "Union[str, None]",
    },
)

OwnAccountReason = TypedDict(
    "OwnAccountReason",
    {
        # What is wrong: a `cause` of checks, or a fault of the OAuth2 grant.
        "code": "Literal['not_found', 'refused', 'timeout', 'tls_failed', 'certificate_untrusted', 'starttls_missing', 'not_a_mail_server', 'auth_refused', 'app_password_required', 'oauth_required', 'basic_auth_disabled', 'imap_disabled', 'too_many_connections', 'unavailable', 'address_denied', 'server_flood', 'protocol', 'grant_revoked', 'password_changed', 'grant_expired', 'mfa_required', 'consent_required', 'token_lost', 'token_refused', 'app_misconfigured', 'provider_unavailable', 'sign_in_unclear']",
        # What the code means, and what to do.
        "message": "str",
        # Since when.
        "since": "str",
    },
)

#: The sign-in at its mail servers.
OwnAccountAuth = TypedDict(
    "OwnAccountAuth",
    {
        # How it signs in.
        "kind": "Literal['password', 'oauth2', 'application']",
        # Id of the OAuth2 app; null for passwords.
        "provider": "Union[str, None]",
    },
)

#: The account of a session.
OwnAccount = TypedDict(
    "OwnAccount",
    {
        # Address of the account.
        "email": "str",
        # `active`; `needs_reauth`: the mail server refuses the credential; `paused` by its owner; `unreachable`: its mail servers do not answer.
        "state": "Literal['active', 'needs_reauth', 'paused', 'unreachable']",
        # Why the account is not active; null if it is, or is paused.
        "reason": "Union[OwnAccountReason, None]",
        # The sign-in at its mail servers.
        "auth": "OwnAccountAuth",
    },
)

#: A session: one sign-in of one client.
Session = TypedDict(
    "Session",
    {
        # Id of the session.
        "id": "str",
        # Address of the account.
        "email": "str",
        # `bearer`: an API client; `cookie`: a browser; `host`: the program that embeds the service.
        "kind": "Literal['bearer', 'cookie', 'host']",
        # True for the session of this request.
        "current": "bool",
        # Time of the sign-in.
        "createdAt": "str",
        # Time of the last request, to within five minutes.
        "lastUsedAt": "str",
        # When the session ends unless it is used before.
        "expiresAt": "str",
        # Network of the sign-in: an IPv4 address or an IPv6 /64.
        "network": "str",
        # `User-Agent` of the sign-in; empty if there was none.
        "userAgent": "str",
    },
)

#: An OAuth2 app by which users sign in.
SignInProvider = TypedDict(
    "SignInProvider",
    {
        # Id of the app, chosen by the operator.
        "id": "str",
        # The provider; `oidc` is any that speaks OpenID Connect.
        "provider": "Literal['google', 'microsoft', 'oidc']",
        # Name, as in “Continue with …”.
        "label": "str",
    },
)

#: E-mail address and password of the mailbox.
Credentials = TypedDict(
    "Credentials",
    {
        # E-mail address of the mailbox.
        "email": "str",
        # Password of the mailbox, or an app password of the provider.
        "password": "str",
    },
)

#: The tokens of a session.
TokenPair = TypedDict(
    "TokenPair",
    {
        # Always true in a success.
        "ok": "bool",
        # Access token (JWT): send it as `Authorization: Bearer <token>`.
        "token": "str",
        # Refresh token (JWT) for `POST /api/auth/refresh`. Valid for 30 days, and used once.
        "refreshToken": "str",
        # Lifetime of the access token in seconds: 3600.
        "expiresIn": "int",
    },
)
