import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { MailboxKey } from "../../shared/neighbours.ts";
import type { MailboxCursor } from "../../mail/index.ts";
import type { Fingerprint, SeenMessage } from "../SeenMessage.ts";
import type { KnownMailbox, MailboxSync } from "../sync-mailbox.ts";

/** A message that Postern is about to move into a mailbox. */
export interface ExpectedMessage extends Fingerprint {
  readonly id: string;
  /** The end of the expectation, in epoch milliseconds. A message that arrives later counts as a new arrival. */
  readonly until: number;
}

/** A message that left a mailbox. */
export interface LeftMessage extends Fingerprint {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly leftAt: number;
}

/** The known state of a followed mailbox, without its messages. */
export type FollowedMailbox = Omit<KnownMailbox, "seen">;

/** A message seen in a mailbox. */
export interface SeenIn {
  readonly folderId: MailboxKey;
  readonly message: SeenMessage;
}

/** The progress of following an account. */
export interface FollowingProgress {
  readonly folders: number;
  /** The number of folders whose messages are all recorded. */
  readonly done: number;
  /** The number of recorded messages. */
  readonly messages: number;
}

/** Stores the cursors of followed mailboxes and the messages seen in them (spec 7), longer than events are kept. */
export class FollowedMailboxes extends Context.Service<
  FollowedMailboxes,
  {
    /**
     * Returns the known state of a mailbox; none if the mailbox was never followed. Inside a transaction, locks the
     * mailbox until the transaction ends.
     */
    readonly find: (
      account: AccountId,
      mailbox: MailboxKey,
    ) => Effect.Effect<Option.Option<FollowedMailbox>, StoreUnavailable>;
    /** Starts to follow a mailbox at this cursor; no effect if it is already followed. */
    readonly begin: (
      account: AccountId,
      mailbox: MailboxKey,
      cursor: MailboxCursor,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Continues at this cursor and drops all seen messages; `backfill` records them again. */
    readonly moveTo: (
      account: AccountId,
      mailbox: MailboxKey,
      cursor: MailboxCursor,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Returns some of the seen messages from a UID on, lowest first; empty at the end. */
    readonly listSeenFrom: (
      account: AccountId,
      mailbox: MailboxKey,
      uid: number,
    ) => Effect.Effect<ReadonlyArray<SeenMessage>, StoreUnavailable>;
    /** Returns the seen messages with these UIDs. */
    readonly findSeen: (
      account: AccountId,
      mailbox: MailboxKey,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyMap<number, SeenMessage>, StoreUnavailable>;
    /** Records every message of a UID range, `below` excluded, and moves `seenFrom` to the start of the range. */
    readonly backfill: (
      account: AccountId,
      mailbox: MailboxKey,
      range: { readonly from: number; readonly below: number },
      messages: ReadonlyArray<SeenMessage>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Saves the cursor and the seen messages of a sync. */
    readonly save: (
      account: AccountId,
      mailbox: MailboxKey,
      sync: MailboxSync,
    ) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Starts to follow every folder of an account: these folders, except INBOX, at their present cursors, and each
     * later folder from its beginning. Cursors of an earlier start are replaced.
     */
    readonly beginAll: (
      account: AccountId,
      present: ReadonlyMap<MailboxKey, MailboxCursor>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the followed mailboxes of an account by their keys; none if the account does not follow all folders. */
    readonly listFollowed: (
      account: AccountId,
    ) => Effect.Effect<Option.Option<ReadonlyMap<MailboxKey, FollowedMailbox>>, StoreUnavailable>;
    /** Stops following a mailbox that is gone. */
    readonly end: (account: AccountId, mailbox: MailboxKey) => Effect.Effect<void, StoreUnavailable>;
    /** Stops following all mailboxes but INBOX. */
    readonly endAll: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the seen messages of these sizes in all followed mailboxes, at most 1,000. */
    readonly findAlike: (
      account: AccountId,
      sizes: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyArray<SeenIn>, StoreUnavailable>;
    readonly progress: (account: AccountId) => Effect.Effect<FollowingProgress, StoreUnavailable>;
    /** Records messages that Postern is about to move into the mailbox, so that they are not announced. */
    readonly expect: (
      account: AccountId,
      mailbox: MailboxKey,
      messages: ReadonlyArray<ExpectedMessage>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the messages still expected at `now`. */
    readonly listExpected: (
      account: AccountId,
      mailbox: MailboxKey,
      now: number,
    ) => Effect.Effect<ReadonlyArray<ExpectedMessage>, StoreUnavailable>;
    /** Removes records of expected messages that arrived or will not arrive. */
    readonly forgetExpected: (
      account: AccountId,
      mailbox: MailboxKey,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Records messages that left. */
    readonly recordLeft: (
      account: AccountId,
      mailbox: MailboxKey,
      messages: ReadonlyArray<LeftMessage>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the messages of these sizes that left at `since` or later. */
    readonly findLeft: (
      account: AccountId,
      mailbox: MailboxKey,
      sizes: ReadonlyArray<number>,
      since: number,
    ) => Effect.Effect<ReadonlyArray<LeftMessage>, StoreUnavailable>;
    /** Deletes the records of messages that returned. */
    readonly forgetLeft: (account: AccountId, ids: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Deletes old records of all accounts: of up to `limit` messages that were expected until before `expectedBefore`,
     * and of up to `limit` messages that left before `leftBefore`. False once none is left.
     */
    readonly removeOld: (
      expectedBefore: number,
      leftBefore: number,
      limit: number,
    ) => Effect.Effect<boolean, StoreUnavailable>;
    /** Erases up to `limit` rows of an account, its cursors first; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/watch/ports/FollowedMailboxes") {}
