import type { ConnectionCause } from "@postern/core/accounts";
import type { MailCredential } from "@postern/core/auth";
import type { MailboxCursor } from "@postern/core/mail";
import { Context, Layer } from "effect";

/** A mail server of a world without a network. */
export interface ServerInMemory {
  readonly protocol: "imap" | "smtp";
  /** How the server secures connections; `none`: neither TLS nor STARTTLS. */
  readonly security: "implicit" | "starttls" | "none";
  /** The SHA-256 of its certificate; null if a trusted authority issued the certificate. */
  readonly untrustedCertificate: string | null;
  readonly capabilities: ReadonlyArray<string>;
  /** Returns the current cursor of INBOX, or the cause of a refusal or failure; `unclear` for a refusal without a reason. */
  readonly signIn: (credential: MailCredential) => MailboxCursor | ConnectionCause | "unclear";
}

/** The mail servers of a world, by `address:port`; nothing listens elsewhere. */
export class ServersInMemory extends Context.Service<ServersInMemory, Map<string, ServerInMemory>>()(
  "@postern/memory/ServersInMemory",
) {
  static readonly layer: Layer.Layer<ServersInMemory> = Layer.sync(ServersInMemory, () => new Map());
}
