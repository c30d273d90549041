import { Context, type Effect } from "effect";
import type { FolderNotFound, MailboxAccessError } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { MessageNotFound } from "../errors.ts";
import type { MessagePlace } from "./MessageReader.ts";

/** A mailbox as it was when its messages got their UIDs. */
export type MailboxPlace = Omit<MessagePlace, "uid">;

/** What of a message's flags is to become what; what is left out stays. */
export interface FlagChange {
  readonly unread?: boolean | undefined;
  readonly flagged?: boolean | undefined;
  readonly answered?: boolean | undefined;
}

/** A message that was moved, and where it is now, where the server says. */
export interface MovedMessage {
  readonly uid: number;
  readonly to: { readonly uidValidity: number; readonly uid: number } | null;
}

type ChangeError = MailboxAccessError | MessageNotFound;

/**
 * Changes messages of one mailbox, at most 1,000 at a time (spec 5). Each answers with those that are there; a message
 * that is gone is passed over. `MessageNotFound` where the mailbox is gone or was recreated.
 */
export class MessageChanges extends Context.Service<
  MessageChanges,
  {
    readonly setFlags: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
      change: FlagChange,
    ) => Effect.Effect<ReadonlySet<number>, ChangeError>;
    /** With flags and times of arrival. `FolderNotFound` where there is no such mailbox to move to. */
    readonly move: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
      to: string,
    ) => Effect.Effect<ReadonlyArray<MovedMessage>, ChangeError | FolderNotFound>;
    /** For good. */
    readonly destroy: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlySet<number>, ChangeError>;
  }
>()("@postern/core/messages/ports/MessageChanges") {}
