import type { NamedServer } from "./NamedServer.ts";
import type { SignIn } from "./SignIn.ts";

/** A mail provider whose servers and kinds of sign-in are known without asking the network. */
export interface KnownProvider {
  readonly id: string;
  readonly name: string;
  /** Domains of the addresses that the provider gives out. */
  readonly domains: ReadonlyArray<string>;
  /** Domains of the MX hosts of customers who bring their own domain. */
  readonly mx: ReadonlyArray<string>;
  readonly imap: NamedServer;
  readonly smtp: NamedServer;
  /** The best first. */
  readonly signIn: readonly [SignIn, ...ReadonlyArray<SignIn>];
  /** The steps of a user or an administrator before a program may sign in. */
  readonly note?: string;
}
