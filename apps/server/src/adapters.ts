import type { CredentialVault, MailboxChanges, MailboxReader, MailboxTree, MailLogin } from "@postern/core";
import { layer as jose } from "@postern/jose";
import { MailInMemory, SandboxMailWorld } from "@postern/memory";
import { type KeyUnusable, layer as nodeCrypto, type SealingKey, SecretBox } from "@postern/node-crypto";
import {
  type Persistence,
  postgres,
  type PostgresStartError,
  RecordCipher,
  serviceSecret,
  sqlite,
  type SqliteStartError,
} from "@postern/sql";
import { Effect, Layer, Option } from "effect";
import type { Config } from "./config.ts";
import type { ServiceKeys } from "./service-keys.ts";

/** The database and every store in it: Postgres, or the embedded one in `DATA_DIR`. Secrets in it are sealed. */
export const database = (
  config: Config,
  keys: ReadonlyArray<SealingKey>,
): Layer.Layer<Persistence | RecordCipher, SqliteStartError | PostgresStartError | KeyUnusable> =>
  Option.match(config.databaseUrl, {
    onNone: () => sqlite({ dataDir: config.dataDir }).pipe(Layer.provideMerge(cipher(keys))),
    onSome: (url) => postgres({ url }).pipe(Layer.provideMerge(cipher(keys))),
  });

const cipher = (keys: ReadonlyArray<SealingKey>) =>
  Layer.effect(RecordCipher, SecretBox).pipe(Layer.provide(SecretBox.layer({ keys })));

/** Message and folder ids last as long as the key they are made with, so that is kept with the data. */
const identifiers = Layer.unwrap(
  Effect.map(serviceSecret("opaque-ids", crypto.getRandomValues(new Uint8Array(32))), (idKey) => nodeCrypto({ idKey })),
);

/** What stands behind the ports in production; the harness has the same list with fakes. */
export const adapters = (config: Config, keys: ServiceKeys) =>
  Layer.mergeAll(mail(config), jose({ issuer: config.jwtIssuer, keys: keys.signing }), identifiers).pipe(
    Layer.provideMerge(database(config, keys.sealing)),
  );

/** imapflow takes a tenth of the time to start, so the sandbox does without it. */
const mail = (
  config: Config,
): Layer.Layer<MailLogin | MailboxTree | MailboxChanges | MailboxReader, never, CredentialVault> =>
  Option.match(config.imap, {
    onNone: () => MailInMemory.pipe(Layer.provide(SandboxMailWorld)),
    onSome: (server) =>
      Layer.unwrap(
        Effect.promise(async () => {
          const imap = await import("@postern/imap");
          return imap.layer({ ...server, connectionsPerAccount: config.imapConnectionsPerAccount });
        }),
      ),
  });
