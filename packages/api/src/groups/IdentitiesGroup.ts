import { identityFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { CreationKeyHeaders, IfMatchHeaders, Version } from "../records/preconditions.ts";
import { AgentNotAllowed } from "../problems/approvals.ts";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { documented } from "../document/documented.ts";
import { IDENTITY, IDENTITY_ID, OWN_IDENTITY } from "../examples/identities.ts";
import {
  IdentityChanged,
  IdentityExists,
  IdentityNotFound,
  IdentityOwn,
  IdentityUnverified,
  TooManyIdentities,
} from "../problems/identities.ts";
import { MailboxCredentialsRejected, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest } from "../problems/requests.ts";
import { SenderBlocked, SendRateExceeded } from "../problems/send.ts";
import { Deleted, NextCursor, Ok, pageQuery } from "../records/wire.ts";

const IdentityId = Schema.String.annotate({ description: "Id of the identity.", examples: [IDENTITY_ID] });

/** A sender that the account may use (spec 12.2). */
export const Identity = Schema.Struct({
  id: IdentityId,
  version: Version,
  name: Schema.String.annotate({
    description: "Name in From; empty for none. The name of the first identity is the account's own.",
  }),
  address: Schema.String.annotate({ description: "Address in From." }),
  replyTo: Schema.NullOr(Schema.String).annotate({
    description: "Address for answers, unless a message names its own; null for none.",
  }),
  signatureText: Schema.String.annotate({
    description: "Signature for plain text. Postern stores it for the program that composes the message.",
  }),
  signatureHtml: Schema.String.annotate({
    description: "Signature for HTML, as it was stored: sanitise it before you show it.",
  }),
  isDefault: Schema.Boolean.annotate({
    description:
      "Whether this identity is the default, the sender of messages without `from`. Exactly one identity is the default.",
  }),
  verified: Schema.Boolean.annotate({ description: "Whether messages may be sent from this address." }),
}).annotate({ identifier: "Identity", description: "A sender that the account may use." });

const fields = {
  name: Schema.optionalKey(identityFields.name.annotate({ description: "Name in From. Default: empty." })),
  replyTo: Schema.optionalKey(
    identityFields.replyTo.annotate({ description: "Address for answers; null or omitted for none." }),
  ),
  signatureText: Schema.optionalKey(
    identityFields.signatureText.annotate({ description: "Signature for plain text. Default: empty." }),
  ),
  signatureHtml: Schema.optionalKey(
    identityFields.signatureHtml.annotate({ description: "Signature for HTML. Default: empty." }),
  ),
  isDefault: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "`true` makes this identity the default, the sender of messages without `from`. It must be verified.",
    }),
  ),
};

export const NewIdentity = Schema.Struct({
  ...fields,
  address: identityFields.address.annotate({ description: "Address in From." }),
}).annotate({ identifier: "NewIdentity", description: "A sender to add." });

export const IdentityChange = Schema.Struct(fields).annotate({
  identifier: "IdentityChange",
  description: "Fields of an identity to change; omitted ones stay.",
});

const params = { id: identityFields.id.annotate({ description: "Id of the identity.", examples: [IDENTITY_ID] }) };
const One = Schema.Struct({ ok: Ok, data: Identity });

const list = HttpApiEndpoint.get("list", "/identities", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(Identity).annotate({ description: "The identities; the account's own address is the first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: ["mail:read", "admin"],
    summary: "List identities",
    description: "Returns the senders of the account for `from`, including those not verified yet.",
    answer: { ok: true, data: [OWN_IDENTITY, IDENTITY], nextCursor: null },
  }),
);

const create = HttpApiEndpoint.post("create", "/identities", {
  headers: CreationKeyHeaders,
  payload: NewIdentity,
  success: One,
  error: [
    AgentNotAllowed,
    InvalidRequest,
    SenderBlocked,
    IdentityExists,
    IdentityUnverified,
    TooManyIdentities,
    ...REPEAT_PROBLEMS,
    SendRateExceeded,
    MailboxCredentialsRejected,
    StoreUnavailable,
  ],
}).annotateMerge(
  documented({
    scope: ["mail:send", "admin"],
    summary: "Add an identity",
    description:
      "Adds an address to send from, and mails a link to this address. Messages may be sent from the address once " +
      "the recipient has confirmed it on the page of that link. The mail counts against the account's sending " +
      "rate. With the admin key, or where the operator sets `SENDER_ALIASES=any`, the address is verified at once. " +
      "The mail server may still refuse it (`sender_refused`). A repeat is answered 409 `identity_exists`; a " +
      "repeat with the same `Idempotency-Key` gets the identity.",
    request: { name: IDENTITY.name, address: IDENTITY.address },
    answer: { ok: true, data: IDENTITY },
  }),
);

const change = HttpApiEndpoint.patch("change", "/identities/:id", {
  params,
  headers: IfMatchHeaders,
  payload: IdentityChange,
  success: One,
  error: [InvalidRequest, AgentNotAllowed, IdentityNotFound, IdentityChanged, IdentityUnverified, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: ["mail:send", "admin"],
    summary: "Change an identity",
    description:
      "Changes the fields in the body. The name of the first identity is the name of the account; the " +
      "address of an identity cannot be changed.",
    request: { name: "Robin Demo", signatureText: "Robin" },
    answer: { ok: true, data: OWN_IDENTITY },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/identities/:id", {
  params,
  headers: IfMatchHeaders,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: IdentityId,
      deleted: Deleted,
    }).annotate({ description: "The deleted identity." }),
  }),
  error: [AgentNotAllowed, IdentityNotFound, IdentityChanged, IdentityOwn, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: ["mail:send", "admin"],
    summary: "Delete an identity",
    description: "Deletes an identity: new messages may no longer be sent from it. Messages in the outbox stay.",
    answer: { ok: true, data: { id: IDENTITY_ID, deleted: true } },
  }),
);

/** The senders of an account (spec 12.2). */
export class IdentitiesGroup extends HttpApiGroup.make("identities")
  .add(list)
  .add(create)
  .add(change)
  .add(remove)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Identities")
  .annotate(OpenApi.Description, "Names, addresses and signatures with which the account sends mail.") {}
