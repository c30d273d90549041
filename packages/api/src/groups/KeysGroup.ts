import { Count, keyFields, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { documented } from "../document/documented.ts";
import { KEY, KEY_ID, NEW_KEY } from "../examples/keys.ts";
import { KeyAuthorization } from "../auth/KeyAuthorization.ts";
import { CreationKeyHeaders, IfMatchHeaders, Version } from "../records/preconditions.ts";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { ApplicationNotFound, KeyChanged, KeyNotFound } from "../problems/keys.ts";
import { Scope } from "../auth/scopes.ts";
import { Instant, NoCursor, Ok } from "../records/wire.ts";

const KeyId = Schema.String.annotate({ description: "Id of the key; it is part of the key.", examples: [KEY_ID] });

const ACCOUNTS = "accounts by id (`acc_…`), all addresses of a domain (`*@example.com`) or a tag (`tag:support`)";

/** A service key without its secret (spec 10.2). */
const record = {
  id: KeyId,
  version: Version,
  name: Schema.String.annotate({ description: "Name of the key." }),
  application: Schema.String.annotate({ description: "Name that the keys of one application share." }),
  scopes: Schema.Array(Scope).annotate({ description: "What the key may do." }),
  accounts: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: `What the key reaches: ${ACCOUNTS}; null for all accounts.`,
  }),
  networks: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Address blocks (CIDR) that the key is accepted from; null for all.",
  }),
  expiresAt: Schema.NullOr(Instant).annotate({ description: "When the key expires; null: never." }),
  createdAt: Instant.annotate({ description: "When the key was made." }),
  lastUsedAt: Schema.NullOr(Instant).annotate({
    description: "Time of the last request, to within a minute; null before the first.",
  }),
  sendPerDay: Schema.NullOr(Schema.Int).annotate({
    description:
      "Messages that the key may send in 24 hours, over all accounts; null: only the limits of accounts count.",
  }),
  notify: Schema.NullOr(Schema.String).annotate({
    description: "Address for notices about the webhook endpoints of the application; null: none.",
  }),
};

export const ServiceKey = Schema.Struct(record).annotate({
  identifier: "ServiceKey",
  description: "A service key, without its secret.",
});

export const MadeServiceKey = Schema.Struct({
  ...record,
  key: Schema.NullOr(Schema.String).annotate({
    description:
      "The key: send it as `Authorization: Bearer <key>`. It is not shown again: null in the answer to a repeat with the " +
      "same `Idempotency-Key`.",
  }),
}).annotate({ identifier: "MadeServiceKey", description: "A new service key." });

export const NewServiceKey = Schema.Struct({
  name: keyFields.name.annotate({ description: "Name of the key, for people." }),
  application: Schema.optionalKey(
    keyFields.application.annotate({
      description: "Name that the keys of one application share. Default: the id of the key.",
    }),
  ),
  scopes: keyFields.scopes.annotate({ description: "What the key may do." }),
  accounts: Schema.optionalKey(
    keyFields.accounts.annotate({
      description: `What the key reaches: ${ACCOUNTS}. Default: all accounts.`,
    }),
  ),
  networks: Schema.optionalKey(
    keyFields.networks.annotate({
      description: "Address blocks (CIDR) that the key is accepted from. Default: all.",
    }),
  ),
  expiresAt: Schema.optionalKey(keyFields.expiresAt.annotate({ description: "When the key expires. Default: never." })),
  sendPerDay: Schema.optionalKey(
    keyFields.sendPerDay.annotate({
      description: "Messages that the key may send in 24 hours. Default: no limit of its own.",
    }),
  ),
  notify: Schema.optionalKey(
    keyFields.notify.annotate({
      description: "Address for notices about the webhook endpoints of the application. Default: none.",
    }),
  ),
}).annotate({ identifier: "NewServiceKey", description: "A service key to make." });

const make = HttpApiEndpoint.post("make", "/keys", {
  headers: CreationKeyHeaders,
  payload: NewServiceKey,
  success: Schema.Struct({ ok: Ok, data: MadeServiceKey }),
  error: REPEAT_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Create a service key",
    description:
      "Makes a key for the backend of an application. The answer has the key, of which only a hash is stored: it is not " +
      "shown again. A repeat makes another key, unless both have the same `Idempotency-Key`.",
    request: {
      name: KEY.name,
      application: KEY.application,
      scopes: KEY.scopes,
      accounts: KEY.accounts,
      networks: KEY.networks,
      expiresAt: KEY.expiresAt,
      sendPerDay: KEY.sendPerDay,
      notify: KEY.notify,
    },
    answer: { ok: true, data: NEW_KEY },
  }),
);

const list = HttpApiEndpoint.get("list", "/keys", {
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(ServiceKey).annotate({ description: "The keys, newest first." }),
    nextCursor: NoCursor,
  }),
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the service keys",
    description: "Returns all keys, also expired ones, newest first, without their secrets.",
    answer: { ok: true, data: [KEY], nextCursor: null },
  }),
);

const Ended = Schema.Struct({
  messages: Count.annotate({ description: "Messages that waited to be sent, and are now held or cancelled." }),
  endpoints: Count.annotate({ description: "Deleted webhook endpoints." }),
}).annotate({ identifier: "EndedData", description: "What ended with a key or an application, in numbers." });

const remove = HttpApiEndpoint.delete("remove", "/keys/:id", {
  params: { id: RecordId.annotate({ description: "Id of the key.", examples: [KEY_ID] }) },
  headers: IfMatchHeaders,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: KeyId,
      deleted: Schema.Literal(true).annotate({ description: "Always true." }),
      ended: Ended,
    }).annotate({
      description: "The deleted key.",
    }),
  }),
  error: [KeyNotFound, KeyChanged],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Delete a service key",
    description:
      "Ends the key: after the answer no process accepts it, and its event streams end within a second. Messages that it " +
      "asked for and that wait to be sent are held, until `POST /api/outbox/{id}/release` or for 30 days. Webhook endpoints " +
      "of its application stay.",
    answer: { ok: true, data: { id: KEY_ID, deleted: true, ended: { messages: 2, endpoints: 0 } } },
  }),
);

const removeApplication = HttpApiEndpoint.delete("removeApplication", "/applications/:name", {
  params: {
    name: keyFields.application.annotate({
      description: "Name of the application.",
      examples: [KEY.application],
    }),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Name of the application." }),
      name: Schema.String.annotate({ description: "Name of the application." }),
      deleted: Schema.Literal(true).annotate({ description: "Always true." }),
      ended: Ended,
      keys: Schema.Array(KeyId).annotate({ description: "Ids of the deleted keys." }),
    }).annotate({ description: "The deleted application." }),
  }),
  error: ApplicationNotFound,
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Delete an application",
    description:
      "Deletes all keys of the application and its webhook endpoints, and cancels the messages that its keys asked for and " +
      "that wait to be sent, held ones included.",
    answer: {
      ok: true,
      data: {
        id: KEY.application,
        name: KEY.application,
        deleted: true,
        ended: { messages: 3, endpoints: 1 },
        keys: [KEY_ID],
      },
    },
  }),
);

/** Service keys and applications, for the operator (spec 10.2). */
export class KeysGroup extends HttpApiGroup.make("keys")
  .add(make)
  .add(list)
  .add(remove)
  .add(removeApplication)
  .prefix("/api")
  .middleware(KeyAuthorization)
  .annotate(OpenApi.Title, "Service keys")
  .annotate(OpenApi.Description, "Make and delete the keys of applications, with the admin key of the operator.") {}
