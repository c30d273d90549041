import { Context, type Effect, type Option } from "effect";
import type { AccountId, Lease, StoreUnavailable } from "../../shared/index.ts";
import type { OutgoingContents } from "../OutgoingContents.ts";
import type { OutgoingMessage } from "../OutgoingMessage.ts";

/** A message as it is shown: `leased` while some process works on it. */
export interface JournalEntry {
  readonly message: OutgoingMessage;
  readonly leased: boolean;
}

/** Where messages are from the moment they are accepted (spec 6). Times in epoch milliseconds. */
export class OutgoingJournal extends Context.Service<
  OutgoingJournal,
  {
    /** Journals a message; with a lease only its holder may work on it. */
    readonly insert: (
      message: OutgoingMessage,
      contents: OutgoingContents,
      lease: Lease | null,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** What a message says; none once it is finished. */
    readonly contents: (id: string) => Effect.Effect<Option.Option<OutgoingContents>, StoreUnavailable>;
    /**
     * Leases messages that are due, or whose lease ran out; earliest first, each to one claimer alone. No message that
     * waits is claimed while `MAX_IN_FLIGHT_PER_ACCOUNT` of its account are leased. None is claimed only where none may be.
     */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** Leases one message, due or not; none where it is leased or not this account's. */
    readonly claimOne: (
      account: AccountId,
      id: string,
      now: number,
      lease: Lease,
    ) => Effect.Effect<Option.Option<OutgoingMessage>, StoreUnavailable>;
    /** Extends leases with this token; returns the ids of those that are still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Returns messages with this token to the queue, due at `now`. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Saves a message under its lease, which is kept or given back; false, and nothing is saved, where it is lost. The
     * contents of a finished message are forgotten when its lease is given back.
     */
    readonly save: (
      message: OutgoingMessage,
      token: string,
      lease: "keep" | "give back",
    ) => Effect.Effect<boolean, StoreUnavailable>;
    readonly find: (
      account: AccountId,
      id: string,
      now: number,
    ) => Effect.Effect<Option.Option<JournalEntry>, StoreUnavailable>;
    /** The messages of an account, newest first. */
    readonly list: (
      account: AccountId,
      now: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>;
    /** The messages of an account with one of these Message-IDs or ids. */
    readonly named: (
      account: AccountId,
      messageIds: ReadonlyArray<string>,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** The messages of an account to one of these addresses, journaled since; newest first, 100 at most. */
    readonly sentTo: (
      account: AccountId,
      addresses: ReadonlyArray<string>,
      since: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingMessage>, StoreUnavailable>;
    /** Whether anything of an account is still to be done. */
    readonly hasUnfinished: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
    /** Makes due now what waits for the account to sign in again; what is leased looks for itself. */
    readonly resume: (account: AccountId, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets some of the messages that were finished before a time; answers with their Message-IDs. */
    readonly forgetFinished: (before: number, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /** Erases at most so many rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** When the next message may be claimed, or the next lease runs out. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until something may have become due earlier than was said: here, or in another process. */
    readonly changed: Effect.Effect<void>;
  }
>()("@postern/core/send/ports/OutgoingJournal") {}
