import type { CredentialVault, MailboxReader, MailboxTree, MailLogin } from "@postern/core";
import { layer as jose } from "@postern/jose";
import {
  CredentialVaultInMemory,
  FolderRecordsInMemory,
  MailInMemory,
  SandboxMailWorld,
  SessionsInMemory,
} from "@postern/memory";
import { layer as nodeCrypto } from "@postern/node-crypto";
import { Effect, Layer, Option } from "effect";
import type { Config } from "./config.ts";
import type { ServiceKeys } from "./service-keys.ts";

const Stores = Layer.mergeAll(CredentialVaultInMemory, SessionsInMemory, FolderRecordsInMemory);

/** What stands behind the ports in production; the harness has the same list with fakes. */
export const adapters = (config: Config, keys: ServiceKeys) =>
  Layer.mergeAll(
    mail(config),
    jose({ issuer: config.jwtIssuer, keys: keys.signing }),
    nodeCrypto({ idKey: keys.id }),
  ).pipe(Layer.provideMerge(Stores));

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
