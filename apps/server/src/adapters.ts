import { layer as imap } from "@postern/imap";
import { layer as jose } from "@postern/jose";
import {
  CredentialVaultInMemory,
  FolderRecordsInMemory,
  MailInMemory,
  SandboxMailWorld,
  SessionsInMemory,
} from "@postern/memory";
import { layer as nodeCrypto } from "@postern/node-crypto";
import { Layer, Option } from "effect";
import type { Config } from "./config.ts";
import type { ServiceKeys } from "./service-keys.ts";

const Stores = Layer.mergeAll(CredentialVaultInMemory, SessionsInMemory, FolderRecordsInMemory);

/** What stands behind the ports in production; the harness has the same list with fakes. */
export const adapters = (config: Config, keys: ServiceKeys) =>
  Layer.mergeAll(
    Option.match(config.imap, {
      onNone: () => MailInMemory.pipe(Layer.provide(SandboxMailWorld)),
      onSome: (server) => imap({ ...server, connectionsPerAccount: config.imapConnectionsPerAccount }),
    }),
    jose({ issuer: config.jwtIssuer, keys: keys.signing }),
    nodeCrypto({ idKey: keys.id }),
  ).pipe(Layer.provideMerge(Stores));
