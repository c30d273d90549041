import type { AccountId } from "@postern/core/shared";
import type { MailCredential } from "@postern/core/auth";
import { Context, type Effect } from "effect";

/** What another mail client of the same account may do meanwhile. */
export interface AppendOptions {
  /** System flags with their backslash, such as `\\Seen`. */
  readonly flags?: ReadonlyArray<string>;
  /** INTERNALDATE as epoch milliseconds, whole seconds. */
  readonly arrivedAt?: number;
}

/** Steers the mail server under test from outside the ports, so that one suite runs on the fake and on real servers. */
export class MailServerControl extends Context.Service<
  MailServerControl,
  {
    /** An empty account of its own: INBOX and the special folders Sent, Drafts, Junk and Trash. */
    readonly newAccount: Effect.Effect<{ readonly account: AccountId; readonly credential: MailCredential }>;
    /** Leaves the account only the rights to see and read a mailbox (RFC 4314: `lr`). */
    readonly makeReadOnly: (account: AccountId, path: string) => Effect.Effect<void>;
    readonly createMailbox: (account: AccountId, path: string) => Effect.Effect<void>;
    readonly deleteMailbox: (account: AccountId, path: string) => Effect.Effect<void>;
    readonly renameMailbox: (account: AccountId, from: string, to: string) => Effect.Effect<void>;
    /** Appends an RFC 5322 message and answers with its UID. */
    readonly append: (account: AccountId, path: string, raw: string, options?: AppendOptions) => Effect.Effect<number>;
    readonly expunge: (account: AccountId, path: string, uids: ReadonlyArray<number>) => Effect.Effect<void>;
    /** Replaces the flags of a message. */
    readonly setFlags: (
      account: AccountId,
      path: string,
      uid: number,
      flags: ReadonlyArray<string>,
    ) => Effect.Effect<void>;
  }
>()("@postern/testkit/MailServerControl") {}
