import { Context, type Effect, type Scope } from "effect";
import type { ListedMailbox, MailboxAccessError, MailboxCursor } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { ArrivedMessage } from "../ArrivedMessage.ts";
import type { SeenMessage } from "../SeenMessage.ts";
import type { MailboxObservation } from "../sync-mailbox.ts";
import type { UidRanges } from "../uid-ranges.ts";

/** The result of a poll. A server that cannot report vanished messages lists the present ones in `present`. */
export type InboxPoll = (
  | (Omit<MailboxObservation<ArrivedMessage>, "whole"> & { readonly present?: undefined })
  | (Omit<MailboxObservation<ArrivedMessage>, "vanished" | "whole"> & { readonly present: UidRanges })
) & {
  /** Whether more messages arrived than one poll returns. The cursor is then before the messages that were not returned. */
  readonly more?: boolean;
};

/** A contiguous range of a mailbox's messages. */
export interface MailboxSlice {
  readonly uidValidity: number;
  /** The first UID of the slice, which contains every message from it on; 1 if no message precedes the slice. */
  readonly from: number;
  /** The messages; valid only until the next slice is read, which reuses the array. */
  readonly messages: ReadonlyArray<SeenMessage>;
}

/** A mailbox of a watched account. */
export interface WatchedMailbox {
  /**
   * Returns the changes since `since`; only the cursor if `since` is null or has another UIDVALIDITY. Until `changed`
   * is called, each poll reports the changes that the cursor does not reflect again, so that the caller can discard a
   * poll.
   */
  readonly poll: (since: MailboxCursor | null) => Effect.Effect<InboxPoll, MailboxAccessError>;
  /** Returns the fingerprints and flags of the newest messages below a UID, as many as fit in memory. */
  readonly below: (uid: number) => Effect.Effect<MailboxSlice, MailboxAccessError>;
  /** Returns these messages as arrivals, without messages that are gone. */
  readonly describe: (uids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<ArrivedMessage>, MailboxAccessError>;
}

/** The state that a server reports of a mailbox that is not open. */
export interface MailboxStanding {
  readonly path: string;
  readonly cursor: MailboxCursor;
  /**
   * A text that changes when the mailbox changes without a change of the cursor; null if every change moves the cursor.
   */
  readonly counts: string | null;
}

/** The INBOX of an account on a separate connection, while the scope is open. The same connection reads other mailboxes. */
export interface WatchedInbox extends WatchedMailbox {
  /**
   * Completes when there may be changes since the last poll of INBOX, or when the server announces that other mailboxes
   * changed. Returns the paths of these other mailboxes, or null if any of them may have changed. Fails if the
   * connection is dead.
   */
  readonly changed: Effect.Effect<ReadonlySet<string> | null, MailboxAccessError>;
  /** Returns every mailbox, like `MailboxTree.list`. */
  readonly folders: (
    expected: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>;
  /**
   * Makes the server announce changes of all mailboxes (RFC 5465); false if the server cannot. Afterwards the caller asks for
   * the standings every two minutes, because `changed` checks the connection less often. After the server stopped announcing
   * changes, `changed` returns null every 20 seconds.
   */
  readonly announceAll: Effect.Effect<boolean, MailboxAccessError>;
  /**
   * Returns the standings of these mailboxes, without mailboxes that the server does not report. A server that lists
   * standings returns those of all mailboxes. INBOX is included only if its standing is certainly current.
   */
  readonly standings: (
    paths: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<MailboxStanding>, MailboxAccessError>;
  /** Returns another mailbox. Each use of that mailbox closes INBOX; the next poll opens INBOX again. */
  readonly mailbox: (path: string) => WatchedMailbox;
}

/** The state of INBOX when its watch begins: its cursor, and its newest messages below the cursor's UIDNEXT. */
export interface PresentInbox {
  readonly cursor: MailboxCursor;
  readonly newest: MailboxSlice;
}

/** The reason for opening a watch's connection: `watch` continues a watch of another node or connection. */
export type WatchKind = "watch" | "first watch";

/** Watches the INBOX of accounts, and their other mailboxes, on the mail server (spec 7). */
export class InboxWatch extends Context.Service<
  InboxWatch,
  {
    readonly open: (
      account: AccountId,
      kind: WatchKind,
    ) => Effect.Effect<WatchedInbox, MailboxAccessError, Scope.Scope>;
    /** Returns the present state of INBOX, for a request or in preparation of a first watch. */
    readonly readPresent: (
      account: AccountId,
      purpose: "request" | "first watch",
    ) => Effect.Effect<PresentInbox, MailboxAccessError>;
  }
>()("@postern/core/watch/ports/InboxWatch") {}
