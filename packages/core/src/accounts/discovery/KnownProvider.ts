import type { NamedServer } from "./NamedServer.ts";
import type { SignIn } from "./SignIn.ts";

/** A mail provider whose servers and kinds of sign-in are known without asking the network. */
export interface KnownProvider {
  readonly id: string;
  readonly name: string;
  /** Domains in which the provider creates addresses. */
  readonly domains: ReadonlyArray<string>;
  /** Domains of the MX hosts of customers with their own domain. */
  readonly mx: ReadonlyArray<string>;
  readonly imap: NamedServer;
  readonly smtp: NamedServer;
  /** Kinds of sign-in that the provider accepts, the best first. */
  readonly signIn: readonly [SignIn, ...ReadonlyArray<SignIn>];
  /** What a user or an administrator must do before a program may sign in, as one sentence. */
  readonly note?: string;
}
