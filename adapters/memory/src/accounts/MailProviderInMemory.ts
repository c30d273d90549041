import type { NamedServer, SignIn } from "@postern/core/accounts";

/** A mail provider of a world without a network. Its accounts are those of its domain in a `MailWorld`. */
export interface MailProviderInMemory {
  readonly domain: string;
  readonly imap: NamedServer;
  readonly smtp: NamedServer;
  /** The kinds of sign-in that it publishes with its servers. */
  readonly signIn: ReadonlyArray<SignIn>;
  /** The password with which the owners of its accounts sign in; programs may not use it. Null if there is none. */
  readonly ownersPassword: string | null;
}
