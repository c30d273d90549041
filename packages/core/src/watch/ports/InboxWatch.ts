import { Context, type Effect, type Scope } from "effect";
import type { ListedMailbox, MailboxAccessError, MailboxCursor } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { ArrivedMessage } from "../ArrivedMessage.ts";
import type { SeenMessage } from "../SeenMessage.ts";
import type { MailboxObservation } from "../sync-mailbox.ts";

/** The result of a poll of a mailbox. A server that cannot say what vanished says what is there, in `present`. */
export type InboxPoll = (
  | (Omit<MailboxObservation<ArrivedMessage>, "whole"> & { readonly present?: undefined })
  | (Omit<MailboxObservation<ArrivedMessage>, "vanished" | "whole"> & { readonly present: ReadonlyArray<number> })
) & {
  /** Whether more arrived than one poll returns; the cursor is before those. */
  readonly more?: boolean;
};

/** Some of the messages of a mailbox, next to each other. */
export interface MailboxSlice {
  readonly uidValidity: number;
  /** The slice holds every message from this UID on; 1 where there is none before it. */
  readonly from: number;
  readonly messages: ReadonlyArray<SeenMessage>;
}

/** The INBOX of an account on a connection of its own, for as long as its scope. */
export interface WatchedInbox {
  /** Returns what changed since `since`; only the cursor where that is null or under another UIDVALIDITY. */
  readonly poll: (since: MailboxCursor | null) => Effect.Effect<InboxPoll, MailboxAccessError>;
  /** The newest messages below a UID, as many as are well kept in memory: what tells them apart, and their flags. */
  readonly below: (uid: number) => Effect.Effect<MailboxSlice, MailboxAccessError>;
  /** These messages as arrivals, those of them that are there. */
  readonly describe: (uids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<ArrivedMessage>, MailboxAccessError>;
  /** Comes back once there may be something new since the last poll. Fails where the connection turns out dead. */
  readonly changed: Effect.Effect<void, MailboxAccessError>;
  /** Every mailbox there is, as `MailboxTree.list`. */
  readonly folders: Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>;
}

/** Watches the INBOX of accounts at the mail server (spec 7). */
export class InboxWatch extends Context.Service<
  InboxWatch,
  {
    readonly open: (account: AccountId) => Effect.Effect<WatchedInbox, MailboxAccessError, Scope.Scope>;
    /** How far INBOX has come at this moment. */
    readonly present: (account: AccountId) => Effect.Effect<MailboxCursor, MailboxAccessError>;
  }
>()("@postern/core/watch/ports/InboxWatch") {}
