import type { NamedServer, SignIn } from "@postern/core/accounts";

/** A mail provider of a world without a network. Its accounts are those of its domain in a `MailWorld`. */
export interface MailProviderInMemory {
  readonly domain: string;
  readonly imap: NamedServer;
  readonly smtp: NamedServer;
  /** The kinds of sign-in that it publishes with its servers. */
  readonly signIn: ReadonlyArray<SignIn>;
  /** A password with which the owners of its accounts sign in, but no program may; null if it has none. */
  readonly ownersPassword: string | null;
}
