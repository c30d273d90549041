import { Context, type Effect, type Option } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { OutgoingContents } from "../outgoing/OutgoingContents.ts";
import type { Asked, OutgoingMessage, OutgoingState } from "../outgoing/OutgoingMessage.ts";

/** A message in the journal; `leased` while a process works on it. */
export interface JournalEntry {
  readonly message: OutgoingMessage;
  readonly leased: boolean;
}

/** Which messages: those that have all of this. */
export interface OutgoingFilter {
  readonly account?: AccountId | undefined;
  /** The service key that asked for them. */
  readonly key?: string | undefined;
  /** The application of that key. */
  readonly application?: string | undefined;
  /** The mail server that they wait for. */
  readonly server?: string | undefined;
  readonly state?: OutgoingState | undefined;
  /** Their Message-ID, ours or the server's. */
  readonly messageId?: string | undefined;
}

/** The journal of outgoing messages from the moment they are accepted (spec 6). Times in epoch milliseconds. */
export class OutgoingJournal extends Context.Service<
  OutgoingJournal,
  {
    /** Journals a message; with a lease, only the lease's holder may work on it. */
    readonly insert: (
      message: OutgoingMessage,
      contents: OutgoingContents,
      lease: Lease | null,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** The contents of a message; none once it is finished. */
    readonly contents: (id: string) => Effect.Effect<Option.Option<OutgoingContents>, StoreUnavailable>;
    /**
     * Claims messages that are due or whose lease expired, earliest first, each for one caller only. Skips due messages
     * of accounts with `MAX_IN_FLIGHT_PER_ACCOUNT` leased messages. Returns none only if none can be claimed.
     */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** Claims one message, due or not; none if it is leased or not this account's. */
    readonly claimOne: (
      account: AccountId,
      id: string,
      now: number,
      lease: Lease,
    ) => Effect.Effect<Option.Option<OutgoingMessage>, StoreUnavailable>;
    /** Renews the leases of this token; returns the ids of those still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Releases messages leased under this token, due at `now`. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Saves a message under its lease and keeps or releases the lease; false, with nothing saved, if the lease was
     * lost. Deletes the contents of a finished message when its lease is released.
     */
    readonly save: (
      message: OutgoingMessage,
      token: string,
      lease: "keep" | "release",
    ) => Effect.Effect<boolean, StoreUnavailable>;
    readonly find: (
      account: AccountId,
      id: string,
      now: number,
    ) => Effect.Effect<Option.Option<JournalEntry>, StoreUnavailable>;
    /** Up to `limit` messages, newest first, of equal age by id from the last; those after `after`. Fewer only at the end. */
    readonly list: (
      whose: OutgoingFilter,
      now: number,
      limit: number,
      after?: ListPlace,
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>;
    /** The messages of an account with one of these Message-IDs, ours or the server's, or ids. */
    readonly named: (
      account: AccountId,
      messageIds: ReadonlyArray<string>,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** The messages of an account to one of these addresses, journaled since `since`; newest first, at most 100. */
    readonly findSentTo: (
      account: AccountId,
      addresses: ReadonlyArray<string>,
      since: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** Whether the account has an unfinished message. */
    readonly hasUnfinished: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Changes the unfinished messages that no process works on, or the first `limit` due ones; returns the changed
     * messages. A process that works on one checks the same at its next attempt.
     */
    readonly changeWaiting: (
      whose: OutgoingFilter,
      change: (message: OutgoingMessage) => OutgoingMessage,
      limit?: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /**
     * Changes up to `limit` unfinished messages by id, those after the id `after`. If a process works on a message that
     * the change would alter, `asked` is stored with it as a pending order: when its lease ends, the message is due at
     * once and claimed with the order. `null` cancels a pending hold. Without `asked`, such messages stay unchanged.
     * Returns those changed, of how many something is now asked or no more, and the id of the last; null if none is
     * after it.
     */
    readonly changeSlice: (
      whose: OutgoingFilter,
      change: (message: OutgoingMessage, isLeased: boolean) => OutgoingMessage,
      slice: {
        readonly after: string;
        readonly limit: number;
        readonly now: number;
        readonly asked?: Asked | null | undefined;
      },
    ) => Effect.Effect<
      { readonly changed: ReadonlyArray<OutgoingMessage>; readonly asked: number; readonly last: string | null },
      StoreUnavailable
    >;
    /**
     * The numbers of waiting messages, by their states at `now`, and when the oldest queued message was requested; null
     * if none is queued.
     */
    readonly backlog: (now: number) => Effect.Effect<
      {
        readonly counts: Readonly<Record<"scheduled" | "queued" | "held" | "sending", number>>;
        readonly oldestAt: number | null;
      },
      StoreUnavailable
    >;
    /** Whether a message other than `id`, on which no process works, waits for this server and is due by `time`. */
    readonly hasProbe: (server: string, id: string, time: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Deletes up to `limit` messages finished before `before`; returns their Message-IDs. */
    readonly forgetFinished: (before: number, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /** Erases up to `limit` rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** When the next message can be claimed or the next lease expires. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until a message may fall due earlier than `nextDue` said, in this process or another. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/send/ports/OutgoingJournal") {}
