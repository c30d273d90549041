import { Schema } from "effect";
import type { AccountServers } from "../mail/index.ts";
import { type StoredJson } from "../shared/index.ts";
import { storedJson, VERSION_1 } from "../shared/neighbours.ts";

const Server = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  tls: Schema.Literals(["implicit", "starttls", "plaintext"]),
  origin: Schema.Literals(["operator", "account"]),
  username: Schema.optionalKey(Schema.String),
  certificateSha256: Schema.optionalKey(Schema.String),
});

/** The mail servers of an account as data. */
export const ServersSchema = Schema.Struct({ imap: Server, smtp: Server });

/** The stored form of an account's mail servers. */
export const storedServers: StoredJson<AccountServers> = storedJson(
  Schema.Struct({ ...VERSION_1, ...ServersSchema.fields }),
);
