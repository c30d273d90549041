import type { AccountId } from "@postern/core/shared";
import type { PasswordCredential } from "@postern/core/auth";
import { Context, type Effect } from "effect";

/** Options of an APPEND by another client of the account. */
export interface AppendOptions {
  /** System flags with their backslash, such as `\\Seen`. */
  readonly flags?: ReadonlyArray<string>;
  /** INTERNALDATE as epoch milliseconds, whole seconds. */
  readonly arrivedAt?: number;
}

/** Controls the mail server under test from outside the ports, so that one suite runs on the fake and real servers. */
export class MailServerControl extends Context.Service<
  MailServerControl,
  {
    /** Makes an empty account with INBOX and the special folders Sent, Drafts, Junk and Trash. */
    readonly newAccount: Effect.Effect<{ readonly account: AccountId; readonly credential: PasswordCredential }>;
    /** Restricts the account's rights on a mailbox to lookup and read (RFC 4314: `lr`). */
    readonly makeReadOnly: (account: AccountId, path: string) => Effect.Effect<void>;
    readonly createMailbox: (account: AccountId, path: string) => Effect.Effect<void>;
    readonly deleteMailbox: (account: AccountId, path: string) => Effect.Effect<void>;
    readonly renameMailbox: (account: AccountId, from: string, to: string) => Effect.Effect<void>;
    /** Appends an RFC 5322 message; returns its UID. */
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
