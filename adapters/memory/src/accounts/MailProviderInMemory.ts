import type { NamedServer, SignIn } from "@postern/core/accounts";

/** A mail provider of a world without a network. Its accounts are the accounts of its domain in a `MailWorld`. */
export interface MailProviderInMemory {
  readonly domain: string;
  /** Other domains whose accounts it serves, although they publish other servers. */
  readonly alsoServes?: ReadonlyArray<string>;
  readonly imap: NamedServer;
  readonly smtp: NamedServer;
  /** The kinds of sign-in that the provider publishes with its servers. */
  readonly signIn: ReadonlyArray<SignIn>;
  /** The password with which users sign in themselves, but which programs may not use; null without such a password. */
  readonly ownersPassword: string | null;
}
