import { Context, type Effect, type Option } from "effect";
import type {
  FolderExists,
  FolderNameInvalid,
  FolderNotFound,
  FolderRole,
  MailboxAccessError,
} from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { MessageBatch } from "../FolderRemoval.ts";

/** A moved message and its new location; null if the server does not report the location. */
export interface BatchedMessage {
  readonly uid: number;
  readonly to: { readonly uidValidity: number; readonly uid: number } | null;
}

/** Creates, renames and removes mailboxes on the mail server, and moves their messages (spec 4). */
export class MailboxChanges extends Context.Service<
  MailboxChanges,
  {
    /** Creates an empty mailbox, with its role if the server supports that. Fails with `FolderExists` if the name is taken. */
    readonly create: (
      account: AccountId,
      path: string,
      role?: FolderRole,
    ) => Effect.Effect<void, MailboxAccessError | FolderExists | FolderNameInvalid>;
    /** Renames a mailbox and, on most servers, its children. Fails with `FolderNotFound` if the old name does not exist. */
    readonly rename: (
      account: AccountId,
      from: string,
      to: string,
    ) => Effect.Effect<void, MailboxAccessError | FolderNotFound | FolderExists | FolderNameInvalid>;
    /** Removes a mailbox with its messages, but not its children. Fails with `FolderNotFound` if the mailbox does not exist. */
    readonly remove: (account: AccountId, path: string) => Effect.Effect<void, MailboxAccessError | FolderNotFound>;
    /** Returns the next batch to move from a mailbox to another; none if the mailbox is empty. */
    readonly nextBatch: (
      account: AccountId,
      mailbox: string,
      to: string,
    ) => Effect.Effect<Option.Option<MessageBatch>, MailboxAccessError | FolderNotFound>;
    /**
     * Moves the remaining messages of a batch with their flags and arrival times, and returns them. Without MOVE, the
     * messages are copied and then removed. A message in the destination with the same Message-ID, arrival time and
     * size, and a UID of at least `copiedFrom`, is a copy from an interrupted attempt. Such a message is not copied
     * again.
     */
    readonly moveBatch: (
      account: AccountId,
      batch: MessageBatch,
      to: string,
    ) => Effect.Effect<ReadonlyArray<BatchedMessage>, MailboxAccessError | FolderNotFound>;
  }
>()("@postern/core/folders/ports/MailboxChanges") {}
