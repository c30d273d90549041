import { Option, Schema } from "effect";
import { storedJson, VERSION_1 } from "../shared/neighbours.ts";
import { type StoredJson } from "../shared/index.ts";
import { isScope } from "./scopes.ts";
import type { SendPolicy } from "./SendPolicy.ts";
import type { ServiceKey } from "./ServiceKey.ts";

/** The rights of a key: its scopes, accounts, networks and policy. */
export type KeyGrants = Pick<ServiceKey, "scopes" | "accounts" | "networks" | "sendPolicy">;

const Texts = Schema.Array(Schema.String);

const storedPolicy = Schema.Struct({
  to: Texts,
  perDay: Schema.optionalKey(Schema.Number),
  approval: Schema.Literals(["always", "outside", "never"]),
});

const grants = storedJson(
  Schema.Struct({
    ...VERSION_1,
    scopes: Texts,
    accounts: Schema.NullOr(Texts),
    networks: Schema.NullOr(Texts),
    sendPolicy: Schema.optionalKey(storedPolicy),
  }),
);

/** The stored form of a key's grants; scopes that no longer exist are dropped on reading. */
export const keyGrantsJson: StoredJson<KeyGrants> = {
  write: ({ scopes, accounts, networks, sendPolicy }) =>
    grants.write({
      scopes,
      accounts,
      networks,
      ...(sendPolicy == null ? {} : { sendPolicy: policyFields(sendPolicy) }),
    }),
  read: (text) =>
    Option.map(grants.read(text), ({ scopes, accounts, networks, sendPolicy }) => ({
      scopes: scopes.filter(isScope),
      accounts,
      networks,
      ...(sendPolicy === undefined ? {} : { sendPolicy }),
    })),
};

const policyFields = ({ to, perDay, approval }: SendPolicy) => ({
  to,
  ...(perDay === undefined ? {} : { perDay }),
  approval,
});
