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

/** Makes, renames and removes mailboxes at the mail server, and moves what is in them (spec 4). */
export class MailboxChanges extends Context.Service<
  MailboxChanges,
  {
    /** Makes an empty mailbox; for a role, marked with it where the server can. `FolderExists` where there is one. */
    readonly create: (
      account: AccountId,
      path: string,
      role?: FolderRole,
    ) => Effect.Effect<void, MailboxAccessError | FolderExists | FolderNameInvalid>;
    /** Renames a mailbox, and on most servers what lies in it. `FolderNotFound` where none has the old name. */
    readonly rename: (
      account: AccountId,
      from: string,
      to: string,
    ) => Effect.Effect<void, MailboxAccessError | FolderNotFound | FolderExists | FolderNameInvalid>;
    /** Removes a mailbox with what is in it, and nothing below it. `FolderNotFound` where there is none. */
    readonly remove: (account: AccountId, path: string) => Effect.Effect<void, MailboxAccessError | FolderNotFound>;
    /** What to move next out of a mailbox into another; none when it is empty. */
    readonly nextBatch: (
      account: AccountId,
      mailbox: string,
      to: string,
    ) => Effect.Effect<Option.Option<MessageBatch>, MailboxAccessError | FolderNotFound>;
    /**
     * Moves what is left of a batch, with flags and times of arrival, and answers with how many that were. Where the
     * server has no MOVE messages are copied, then removed: what is in the destination from UID `copiedFrom` on and equals
     * one of them by Message-ID, arrival and size is its copy from an attempt that was cut, and is not made again.
     */
    readonly moveBatch: (
      account: AccountId,
      batch: MessageBatch,
      to: string,
    ) => Effect.Effect<number, MailboxAccessError | FolderNotFound>;
  }
>()("@postern/core/folders/ports/MailboxChanges") {}
