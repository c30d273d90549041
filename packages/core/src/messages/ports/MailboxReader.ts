import { Context, type Effect, type Scope } from "effect";
import type {
  FolderNotFound,
  FolderNotSelectable,
  MailboxAccessError,
  MailServerError,
  MessageSummary,
} from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";

/**
 * A mailbox whose positions (IMAP sequence numbers, 1 for the oldest message) stay fixed until the scope closes. The
 * position of a message removed meanwhile is empty.
 */
export interface MailboxView {
  readonly uidValidity: number;
  /** The highest position. */
  readonly total: number;
  readonly unread: number;
  /** The messages still present at these positions, oldest first. */
  readonly messages: (first: number, last: number) => Effect.Effect<ReadonlyArray<MessageSummary>, MailServerError>;
  /** The highest position with a UID below this one, or 0. */
  readonly positionBelow: (uid: number) => Effect.Effect<number, MailServerError>;
}

/** Reads the listing of one mailbox (spec 5). */
export class MailboxReader extends Context.Service<
  MailboxReader,
  {
    /** Opens a view of a mailbox that includes all mail that has arrived before the call. */
    readonly view: (
      account: AccountId,
      path: string,
    ) => Effect.Effect<MailboxView, MailboxAccessError | FolderNotFound | FolderNotSelectable, Scope.Scope>;
  }
>()("@postern/core/messages/ports/MailboxReader") {}
