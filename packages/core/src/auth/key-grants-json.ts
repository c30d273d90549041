import { Option, Schema } from "effect";
import { storedJson, VERSION_1 } from "../shared/neighbours.ts";
import { type StoredJson } from "../shared/index.ts";
import { isScope } from "./scopes.ts";
import type { ServiceKey } from "./ServiceKey.ts";

/** The rights of a key: its scopes, accounts and networks. */
export type KeyGrants = Pick<ServiceKey, "scopes" | "accounts" | "networks">;

const Texts = Schema.Array(Schema.String);

const grants = storedJson(
  Schema.Struct({
    ...VERSION_1,
    scopes: Texts,
    accounts: Schema.NullOr(Texts),
    networks: Schema.NullOr(Texts),
  }),
);

/** The stored form of a key's grants; scopes that no longer exist are dropped on reading. */
export const keyGrantsJson: StoredJson<KeyGrants> = {
  write: ({ scopes, accounts, networks }) => grants.write({ scopes, accounts, networks }),
  read: (text) =>
    Option.map(grants.read(text), ({ scopes, accounts, networks }) => ({
      scopes: scopes.filter(isScope),
      accounts,
      networks,
    })),
};
