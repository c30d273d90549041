import { Context, type Effect } from "effect";
import type { AccountId, MessageRef, StoreUnavailable } from "../../shared/index.ts";
import type { MailboxKey } from "../../shared/neighbours.ts";
import type { Fingerprint } from "../SeenMessage.ts";

/** Messages of one mailbox under one UIDVALIDITY. */
export interface MessagesAt extends Omit<MessageRef, "uid"> {
  readonly uids: ReadonlyArray<number>;
}

/** A location that a message left by a move of Postern. */
export interface LeftLocation {
  readonly from: MessageRef;
  /** The present location of the message. */
  readonly now: MessageRef;
  /** The location that the id of the message encodes. */
  readonly id: MessageRef;
}

/** A move that was recorded before its command; the message may still be at `from`. */
export interface BegunMove extends Fingerprint {
  readonly from: MessageRef;
  readonly toFolderId: MailboxKey;
  /** The lower bound of the message's new UID. */
  readonly lowestUid: number;
  /** Epoch milliseconds. */
  readonly begunAt: number;
}

/** The store of the locations that messages left, so that a message keeps its id when Postern moves it (spec 5.2). */
export class MovedMessages extends Context.Service<
  MovedMessages,
  {
    /** Records moves before their commands; replaces moves that are already recorded. */
    readonly begin: (account: AccountId, moves: ReadonlyArray<BegunMove>) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Records the new locations of moved messages and ends their begun moves, all or none. The new location is also
     * recorded for the locations that these messages left earlier. For each message, the location that its id encodes
     * and the last 63 left locations are kept. A location that is already recorded as left is not changed. `movedAt` is
     * epoch milliseconds.
     */
    readonly settle: (
      account: AccountId,
      moves: ReadonlyArray<Pick<LeftLocation, "from" | "now">>,
      movedAt: number,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Deletes begun moves that did not happen, or whose messages are lost, unless they have begun again since. */
    readonly giveUp: (
      account: AccountId,
      moves: ReadonlyArray<Pick<BegunMove, "from" | "toFolderId" | "begunAt">>,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Returns the left locations whose `from` or `now` is one of these, and whether the account has begun moves. */
    readonly find: (
      account: AccountId,
      places: ReadonlyArray<MessagesAt>,
    ) => Effect.Effect<{ readonly left: ReadonlyArray<LeftLocation>; readonly isMoving: boolean }, StoreUnavailable>;
    readonly listBegun: (account: AccountId) => Effect.Effect<ReadonlyArray<BegunMove>, StoreUnavailable>;
    /** Returns the keys of the mailboxes that messages left or should leave, including those of removed folders. */
    readonly listFolders: (account: AccountId) => Effect.Effect<ReadonlyArray<MailboxKey>, StoreUnavailable>;
    /** Deletes up to `limit` moves of all accounts that were begun before `before` (epoch ms); false once none is left. */
    readonly removeOld: (before: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Deletes left locations of an account that has more than `most`, starting with the messages that left first, about
     * `limit` at a time. Each message keeps all or none of its locations. False once no account has more than `most`.
     */
    readonly trim: (most: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Erases up to `limit` rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/watch/ports/MovedMessages") {}
