import { Context, type Effect } from "effect";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { MessageNotFound } from "../errors.ts";
import type { SearchCriteria } from "../SearchCriteria.ts";
import type { MailboxPlace } from "./MessageChanges.ts";

/** Messages of one mailbox that were searched for. */
export interface FoundUids {
  readonly uidValidity: number;
  /** Ascending. */
  readonly uids: ReadonlyArray<number>;
  /** How many of them are unread. */
  readonly unread: number;
}

/** Searches mailboxes (spec 5), so that no listing waits for it. */
export class MessageSearch extends Context.Service<
  MessageSearch,
  {
    /** Where the server has no thread identifiers, no message has the one asked for. */
    readonly find: (
      account: AccountId,
      path: string,
      criteria: SearchCriteria,
    ) => Effect.Effect<FoundUids, MailboxAccessError | FolderNotFound | FolderNotSelectable>;
    /** In ascending order of UID; messages that are gone are passed over. */
    readonly summaries: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyArray<MessageSummary>, MailboxAccessError | MessageNotFound>;
  }
>()("@postern/core/messages/ports/MessageSearch") {}
