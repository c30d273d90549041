import { keyFields } from "@postern/core/rules";
import { Schema } from "effect";
import { Scope } from "../../auth/scopes.ts";
import { KEY_ID } from "../../examples/keys.ts";
import { Version } from "../../records/preconditions.ts";
import { SendPolicy } from "../../records/send-policy.ts";
import { Instant } from "../../records/wire.ts";

export const KeyId = Schema.String.annotate({
  description: "Id of the key; it is part of the key.",
  examples: [KEY_ID],
});

const ACCOUNTS = "accounts by id (`acc_…`), all addresses of a domain (`*@example.com`) or a tag (`tag:support`)";

/** A service key without its secret (spec 10.2). */
const record = {
  id: KeyId,
  version: Version,
  name: Schema.String.annotate({ description: "Name of the key." }),
  application: Schema.String.annotate({ description: "Name that the keys of one application share." }),
  scopes: Schema.Array(Scope).annotate({ description: "What the key may do." }),
  accounts: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: `Reach of the key: ${ACCOUNTS}; null for all accounts.`,
  }),
  networks: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Address blocks (CIDR) from which the key is accepted; null for all.",
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
  sendPolicy: Schema.NullOr(SendPolicy).annotate({
    description: "What the key may send without an approval; null: it has no policy.",
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
      description: `Reach of the key: ${ACCOUNTS}. Default: all accounts.`,
    }),
  ),
  networks: Schema.optionalKey(
    keyFields.networks.annotate({
      description: "Address blocks (CIDR) from which the key is accepted. Default: all.",
    }),
  ),
  expiresAt: Schema.optionalKey(keyFields.expiresAt.annotate({ description: "When the key expires. Default: never." })),
  sendPerDay: Schema.optionalKey(
    keyFields.sendPerDay.annotate({
      description: "Messages that the key may send in 24 hours. Default: no limit of its own.",
    }),
  ),
  sendPolicy: Schema.optionalKey(SendPolicy),
  notify: Schema.optionalKey(
    keyFields.notify.annotate({
      description: "Address for notices about the webhook endpoints of the application. Default: none.",
    }),
  ),
}).annotate({ identifier: "NewServiceKey", description: "A service key to create." });

const orNull = <S extends Schema.Top>(field: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(field).annotate({ description: `${description} Null: no limit.` }));

export const ServiceKeyChange = Schema.Struct({
  name: Schema.optionalKey(keyFields.name.annotate({ description: "Name of the key, for people." })),
  scopes: Schema.optionalKey(keyFields.scopes.annotate({ description: "What the key may do." })),
  accounts: orNull(keyFields.accounts, `Reach of the key: ${ACCOUNTS}.`),
  networks: orNull(keyFields.networks, "Address blocks (CIDR) from which the key is accepted."),
  expiresAt: orNull(keyFields.expiresAt, "When the key expires."),
  sendPerDay: orNull(keyFields.sendPerDay, "Messages that the key may send in 24 hours."),
  sendPolicy: Schema.optionalKey(
    Schema.NullOr(SendPolicy).annotate({
      description: "What the key may send without an approval; null for no policy.",
    }),
  ),
  notify: Schema.optionalKey(
    Schema.NullOr(keyFields.notify).annotate({
      description: "Address for notices about the webhook endpoints of the application; null for none.",
    }),
  ),
}).annotate({ identifier: "ServiceKeyChange", description: "Fields of a service key to change; omitted ones stay." });
