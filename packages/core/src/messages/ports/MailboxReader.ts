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
 * The state of a mailbox. If two states are equal, nothing changed between them: an arrival raises `uidNext`, a removal
 * lowers `total`, and a changed flag raises `highestModSeq` (RFC 7162).
 */
export interface MailboxState {
  readonly uidValidity: number;
  readonly uidNext: number;
  readonly total: number;
  readonly unread: number;
  readonly highestModSeq: bigint;
}

/** A message's UID and the flags that a listing shows. */
export type MessageFlags = Pick<MessageSummary, "uid" | "unread" | "flagged" | "answered" | "draft" | "labels">;

/**
 * A mailbox whose positions (IMAP sequence numbers, 1 for the oldest message) stay fixed until the scope closes. A
 * message removed meanwhile leaves its position empty.
 */
export interface MailboxView {
  readonly uidValidity: number;
  /** The highest position. */
  readonly total: number;
  readonly unread: number;
  /** The state of the mailbox at the time of the view; null if the server's states do not reflect changed flags. */
  readonly state: MailboxState | null;
  /** Returns the messages still present at these positions, oldest first. */
  readonly messages: (first: number, last: number) => Effect.Effect<ReadonlyArray<MessageSummary>, MailServerError>;
  /** Returns UIDs and flags of the messages still present at these positions, oldest first. */
  readonly flags: (first: number, last: number) => Effect.Effect<ReadonlyArray<MessageFlags>, MailServerError>;
  /** Returns the messages with these UIDs that are still present, oldest first. */
  readonly byUid: (uids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<MessageSummary>, MailServerError>;
  /** Returns the highest position with a UID below this one, or 0. */
  readonly positionBelow: (uid: number) => Effect.Effect<number, MailServerError>;
}

/** The data of the newest messages that a caller will read, so that the round trip that opens the view can fetch it. */
export interface NewestWanted {
  readonly count: number;
  /** The highest UID that the caller knows. Up to this UID, the caller needs only flags. */
  readonly known?: number | undefined;
}

/** Reads the listing of one mailbox (spec 5). */
export class MailboxReader extends Context.Service<
  MailboxReader,
  {
    /** Opens a view of a mailbox with all changes made before the call. */
    readonly view: (
      account: AccountId,
      path: string,
      newest?: NewestWanted,
    ) => Effect.Effect<MailboxView, MailboxAccessError | FolderNotFound | FolderNotSelectable, Scope.Scope>;
    /**
     * Returns the current state, including all changes made before the call. Null if `MailboxView.state` would be null;
     * `changed` if the mailbox has just changed and its new state is not known yet.
     */
    readonly probe: (
      account: AccountId,
      path: string,
    ) => Effect.Effect<MailboxState | "changed" | null, MailboxAccessError | FolderNotFound | FolderNotSelectable>;
  }
>()("@postern/core/messages/ports/MailboxReader") {}
