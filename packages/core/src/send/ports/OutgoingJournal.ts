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

/** A filter of messages; all given fields must match. */
export interface OutgoingFilter {
  readonly account?: AccountId | undefined;
  /** The service key that requested the messages. */
  readonly key?: string | undefined;
  /** The application of that key. */
  readonly application?: string | undefined;
  /** The mail server that the messages wait for. */
  readonly server?: string | undefined;
  readonly state?: OutgoingState | undefined;
  /** The Message-ID, from Postern or from the server. */
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
    /** Returns the contents of a message; none once the message is finished. */
    readonly contents: (id: string) => Effect.Effect<Option.Option<OutgoingContents>, StoreUnavailable>;
    /**
     * Claims messages that are due or whose lease expired, earliest first; no two callers get the same message. Skips
     * due messages of accounts with `MAX_IN_FLIGHT_PER_ACCOUNT` leased messages. The result is empty only if no message
     * can be claimed.
     */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** Claims one message, due or not; none if it is leased or belongs to another account. */
    readonly claimOne: (
      account: AccountId,
      id: string,
      now: number,
      lease: Lease,
    ) => Effect.Effect<Option.Option<OutgoingMessage>, StoreUnavailable>;
    /** Renews the leases of this token; returns the ids of the messages still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Releases messages leased under this token, due at `now`. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Saves a message under its lease and keeps or releases the lease; false without a change if the lease was lost.
     * Deletes the contents of a finished message when its lease is released.
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
    /**
     * Lists up to `limit` messages after `after`, newest first; messages of equal age in descending order of their ids.
     * Returns fewer only at the end.
     */
    readonly list: (
      whose: OutgoingFilter,
      now: number,
      limit: number,
      after?: ListPlace,
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>;
    /** Returns the messages of an account with one of these ids or Message-IDs (from Postern or from the server). */
    readonly named: (
      account: AccountId,
      messageIds: ReadonlyArray<string>,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** Returns the messages of an account to one of these addresses, journaled since `since`; newest first, at most 100. */
    readonly findSentTo: (
      account: AccountId,
      addresses: ReadonlyArray<string>,
      since: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** Returns whether the account has an unfinished message. */
    readonly hasUnfinished: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Changes the unfinished messages that no process works on, or only the first `limit` due messages; returns the
     * changed messages. A process that works on such a message checks the same condition at its next attempt.
     */
    readonly changeWaiting: (
      whose: OutgoingFilter,
      change: (message: OutgoingMessage) => OutgoingMessage,
      limit?: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /**
     * Changes up to `limit` unfinished messages after the id `after`, in the order of their ids. If a message that the
     * change would alter is being sent (it is leased, or has a recipient in the state `dot`), `asked` is stored with the
     * message as a pending order, instead of an earlier one except a cancellation. When the lease ends, the message is
     * due at once and is claimed with the order, unless the message needs the order no longer. Without `asked`, messages
     * that are being sent do not change. Returns the changed messages, the number of messages whose pending order
     * changed, and the id of the last message; null if no message follows it.
     */
    readonly changeSlice: (
      whose: OutgoingFilter,
      change: (message: OutgoingMessage, isSending: boolean) => OutgoingMessage,
      slice: {
        readonly after: string;
        readonly limit: number;
        readonly now: number;
        readonly asked?: Asked | undefined;
      },
    ) => Effect.Effect<
      { readonly changed: ReadonlyArray<OutgoingMessage>; readonly asked: number; readonly last: string | null },
      StoreUnavailable
    >;
    /**
     * Returns the numbers of waiting messages by their states at `now`, and when the oldest queued message was
     * requested (null if none is queued).
     */
    readonly backlog: (now: number) => Effect.Effect<
      {
        readonly counts: Readonly<Record<"scheduled" | "queued" | "held" | "sending", number>>;
        readonly oldestAt: number | null;
      },
      StoreUnavailable
    >;
    /** Returns whether a message other than `id` waits for this server, is due by `time` and is not leased. */
    readonly hasProbe: (server: string, id: string, time: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Deletes up to `limit` messages finished before `before`; returns their Message-IDs. */
    readonly forgetFinished: (before: number, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /** Erases up to `limit` rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Returns the time at which the next message can be claimed or the next lease expires. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until this or another process may have made a message due earlier than `nextDue` returned. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/send/ports/OutgoingJournal") {}
