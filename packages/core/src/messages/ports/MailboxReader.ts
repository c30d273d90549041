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
 * A mailbox held still: until its scope closes, the message at a position (IMAP's sequence number, 1 for the oldest)
 * stays at it. A message removed meanwhile leaves its position empty.
 */
export interface MailboxView {
  readonly uidValidity: number;
  /** Positions run from 1 to this. */
  readonly total: number;
  readonly unread: number;
  /** The messages at these positions that are still there, oldest first. */
  readonly messages: (first: number, last: number) => Effect.Effect<ReadonlyArray<MessageSummary>, MailServerError>;
  /** The highest position whose UID is below this one, or 0. */
  readonly positionBelow: (uid: number) => Effect.Effect<number, MailServerError>;
}

/** Reads the listing of one mailbox (spec 5). */
export class MailboxReader extends Context.Service<
  MailboxReader,
  {
    /** Opens the mailbox as it is now: mail that had arrived when this was called is in the view. */
    readonly view: (
      account: AccountId,
      path: string,
    ) => Effect.Effect<MailboxView, MailboxAccessError | FolderNotFound | FolderNotSelectable, Scope.Scope>;
  }
>()("@postern/core/messages/ports/MailboxReader") {}
