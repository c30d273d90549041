import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { MailboxCursor } from "../../mail/index.ts";
import type { Fingerprint, SeenMessage } from "../SeenMessage.ts";
import type { KnownMailbox, MailboxSync } from "../sync-mailbox.ts";

/** A message that will appear in a mailbox by our own doing. */
export interface ExpectedMessage extends Fingerprint {
  readonly id: string;
  /** Epoch milliseconds; what has not come by then did not come from us. */
  readonly until: number;
}

/** How far mailboxes have been followed, and what was seen in them (spec 7). Outlives what is kept of events. */
export class FollowedMailboxes extends Context.Service<
  FollowedMailboxes,
  {
    /** None where it was never looked at. In a transaction it is locked until that ends. */
    readonly find: (
      account: AccountId,
      folderId: string,
    ) => Effect.Effect<Option.Option<Omit<KnownMailbox, "seen">>, StoreUnavailable>;
    /** Begins to follow from here, unless it is followed already. */
    readonly begin: (
      account: AccountId,
      folderId: string,
      cursor: MailboxCursor,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Goes on from here, whatever happened before: nothing that was seen counts from now on, until `backfill`. */
    readonly moveTo: (
      account: AccountId,
      folderId: string,
      cursor: MailboxCursor,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** What was seen from a UID on, lowest first, some at a time; empty at the end. */
    readonly seenFrom: (
      account: AccountId,
      folderId: string,
      uid: number,
    ) => Effect.Effect<ReadonlyArray<SeenMessage>, StoreUnavailable>;
    /** What was seen of these UIDs. */
    readonly seenOf: (
      account: AccountId,
      folderId: string,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyMap<number, SeenMessage>, StoreUnavailable>;
    /** Writes down every message there is from one UID up to below another, and that what was seen begins there. */
    readonly backfill: (
      account: AccountId,
      folderId: string,
      range: { readonly from: number; readonly below: number },
      messages: ReadonlyArray<SeenMessage>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** The cursor and what was seen, as a sync leaves them. */
    readonly save: (account: AccountId, folderId: string, sync: MailboxSync) => Effect.Effect<void, StoreUnavailable>;
    /** Messages about to be put there by us, which will not be announced. */
    readonly expect: (
      account: AccountId,
      folderId: string,
      messages: ReadonlyArray<ExpectedMessage>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Those still expected at `now`. */
    readonly expected: (
      account: AccountId,
      folderId: string,
      now: number,
    ) => Effect.Effect<ReadonlyArray<ExpectedMessage>, StoreUnavailable>;
    /** These came, or will not. */
    readonly unexpect: (
      account: AccountId,
      folderId: string,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Erases at most so many rows of an account, its cursors first; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/watch/ports/FollowedMailboxes") {}
