import { Context, type Effect, type Stream } from "effect";
import type { MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { SearchCharsetRefused } from "../errors.ts";
import type { SearchCriteria } from "../SearchCriteria.ts";
import type { MailboxPlace } from "./MessageChanges.ts";

/** The search results of one mailbox. */
export interface FoundUids {
  readonly uidValidity: number;
  /** The UIDs in ascending order. */
  readonly uids: ReadonlyArray<number>;
  /** The UIDs of the unread messages among them, in ascending order. */
  readonly unread: ReadonlyArray<number>;
}

/** Messages of one mailbox. */
export interface MailboxUids extends MailboxPlace {
  readonly uids: ReadonlyArray<number>;
}

/** Searches mailboxes without delaying listings (spec 5). A mailbox that does not exist has no messages. */
export class MessageSearch extends Context.Service<
  MessageSearch,
  {
    /**
     * Searches mailboxes and passes on the results of each, with its path, as soon as they are known, in any order;
     * null for a mailbox that is gone. A search by `threadId` finds nothing on a server without thread identifiers.
     */
    readonly find: (
      account: AccountId,
      paths: ReadonlyArray<string>,
      criteria: SearchCriteria,
    ) => Stream.Stream<readonly [path: string, found: FoundUids | null], MailboxAccessError | SearchCharsetRefused>;
    /**
     * Returns for each mailbox the ids by which the server recognises messages in any mailbox (EMAILID of RFC 8474,
     * Gmail's X-GM-MSGID), by UID; empty if the server has none.
     */
    readonly emailIds: (
      account: AccountId,
      asked: ReadonlyArray<MailboxUids>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyMap<number, string>>, MailboxAccessError>;
    /** Returns for each mailbox the arrival times of its messages, in epoch milliseconds by UID, without messages that are gone. */
    readonly arrivals: (
      account: AccountId,
      asked: ReadonlyArray<MailboxUids>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyMap<number, number>>, MailboxAccessError>;
    /** Returns the labels that each mailbox knows, including labels of no present message. */
    readonly labels: (
      account: AccountId,
      paths: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<string>, MailboxAccessError>;
    /** Returns for each mailbox its messages in ascending order of UID, without messages that are gone. */
    readonly summaries: (
      account: AccountId,
      asked: ReadonlyArray<MailboxUids>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<MessageSummary>>, MailboxAccessError>;
  }
>()("@postern/core/messages/ports/MessageSearch") {}
