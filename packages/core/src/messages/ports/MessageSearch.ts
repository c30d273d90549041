import { Context, type Effect } from "effect";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { MessageNotFound, SearchCharsetRefused } from "../errors.ts";
import type { SearchCriteria } from "../SearchCriteria.ts";
import type { MailboxPlace } from "./MessageChanges.ts";

/** The search results of one mailbox. */
export interface FoundUids {
  readonly uidValidity: number;
  /** Ascending. */
  readonly uids: ReadonlyArray<number>;
  /** The unread ones of them, ascending. */
  readonly unread: ReadonlyArray<number>;
}

/** Searches mailboxes without delaying listings (spec 5). */
export class MessageSearch extends Context.Service<
  MessageSearch,
  {
    /** Searches a mailbox. A search by `threadId` finds nothing on a server without thread identifiers. */
    readonly find: (
      account: AccountId,
      path: string,
      criteria: SearchCriteria,
    ) => Effect.Effect<FoundUids, MailboxAccessError | FolderNotFound | FolderNotSelectable | SearchCharsetRefused>;
    /**
     * Returns the ids by which the server recognises messages in any mailbox (EMAILID of RFC 8474, Gmail's X-GM-MSGID),
     * by UID; empty if it has none.
     */
    readonly emailIds: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyMap<number, string>, MailboxAccessError | MessageNotFound>;
    /** Returns the labels that a mailbox knows, also those that no message has any more. */
    readonly labels: (
      account: AccountId,
      path: string,
    ) => Effect.Effect<ReadonlyArray<string>, MailboxAccessError | FolderNotFound | FolderNotSelectable>;
    /** Returns messages in ascending order of UID, without those that are gone. */
    readonly summaries: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyArray<MessageSummary>, MailboxAccessError | MessageNotFound>;
  }
>()("@postern/core/messages/ports/MessageSearch") {}
