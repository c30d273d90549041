import { Schema } from "effect";
import { SCOPES } from "../auth/neighbours.ts";
import { AccountId, type StoredJson } from "../shared/index.ts";
import { storedJson, VERSION_1 } from "../shared/neighbours.ts";
import type { AgentGrant } from "./AgentGrant.ts";
import type { AssistantClient } from "./AssistantClient.ts";
import type { AuthorizationCode } from "./AuthorizationCode.ts";
import { assistantFields } from "./rules.ts";

const Text = Schema.String;
const Id = Schema.fromBrand("AccountId", AccountId)(Text);
const Identity = Schema.Struct({ id: Text, name: Text, host: Schema.NullOr(Text) });
const Policy = assistantFields.sendPolicy;
const Scopes = Schema.Array(Schema.Literals(SCOPES));

const client: StoredJson<AssistantClient> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    name: Text,
    redirectUris: Schema.Array(Text),
    source: Schema.Literals(["document", "operator", "registered"]),
    createdAt: Schema.Number,
  }),
);

const code: StoredJson<AuthorizationCode> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    account: Id,
    client: Identity,
    redirectUri: Text,
    challenge: Text,
    scopes: Scopes,
    sendPolicy: Policy,
    expiresAt: Schema.Number,
  }),
);

const grant: StoredJson<AgentGrant> = storedJson(
  Schema.Struct({
    ...VERSION_1,
    id: Text,
    account: Id,
    name: Text,
    client: Identity,
    scopes: Scopes,
    sendPolicy: Policy,
    createdAt: Schema.Number,
    lastUsedAt: Schema.NullOr(Schema.Number),
    expiresAt: Schema.Number,
    access: Schema.Struct({ hash: Text, expiresAt: Schema.Number }),
    refresh: Schema.Struct({ hash: Text, family: Text }),
  }),
);

/** The stored forms of the records of this domain. */
export const assistantsJson = { client, code, grant };
