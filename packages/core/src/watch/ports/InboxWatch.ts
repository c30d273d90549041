import { Context, type Effect, type Scope } from "effect";
import type { ListedMailbox, MailboxAccessError, MailboxCursor } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { ArrivedMessage } from "../ArrivedMessage.ts";
import type { MailboxObservation } from "../sync-mailbox.ts";

/** What a look at a mailbox brought. A server that cannot say what vanished says what is there, in `present`. */
export type InboxLook =
  | (MailboxObservation<ArrivedMessage> & { readonly present?: undefined })
  | (Omit<MailboxObservation<ArrivedMessage>, "vanished"> & { readonly present: ReadonlyArray<number> });

/** The INBOX of an account on a connection of its own, for as long as its scope. */
export interface WatchedInbox {
  /** What is other than at `since`; everything there is where that is null. */
  readonly look: (since: MailboxCursor | null) => Effect.Effect<InboxLook, MailboxAccessError>;
  /** Comes back once there may be something new since the last look. Fails where the connection turns out dead. */
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
