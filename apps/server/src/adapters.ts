import type { CredentialVault, MailboxReader, MailboxTree, MailLogin } from "@postern/core";
import { layer as jose } from "@postern/jose";
import { MailInMemory, SandboxMailWorld } from "@postern/memory";
import { layer as nodeCrypto, SecretBox } from "@postern/node-crypto";
import { RecordCipher, sqlite } from "@postern/sql";
import { Effect, Layer, Option } from "effect";
import type { Config } from "./config.ts";
import type { ServiceKeys } from "./service-keys.ts";

/** The embedded database in `DATA_DIR`, its secrets sealed. */
const stores = (config: Config, keys: ServiceKeys) =>
  sqlite({ dataDir: config.dataDir }).pipe(
    Layer.provide(Layer.effect(RecordCipher, SecretBox)),
    Layer.provide(SecretBox.layer({ keys: keys.sealing })),
  );

/** What stands behind the ports in production; the harness has the same list with fakes. */
export const adapters = (config: Config, keys: ServiceKeys) =>
  Layer.mergeAll(
    mail(config),
    jose({ issuer: config.jwtIssuer, keys: keys.signing }),
    nodeCrypto({ idKey: keys.id }),
  ).pipe(Layer.provideMerge(stores(config, keys)));

/** imapflow takes a tenth of the time to start, so the sandbox does without it. */
const mail = (config: Config): Layer.Layer<MailLogin | MailboxTree | MailboxReader, never, CredentialVault> =>
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
