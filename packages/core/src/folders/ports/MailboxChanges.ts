import { Context, type Effect } from "effect";
import type { MailboxAccessError } from "../../auth/MailboxAccessError.ts";
import type { AccountId } from "../../shared/AccountId.ts";
import type { FolderExists, FolderNameInvalid, FolderNotFound } from "../errors.ts";
import type { FolderRole } from "../FolderRole.ts";

/** How far a move of messages came. */
export interface MovedMessages {
  /** How many left the mailbox; 0 when it was empty. */
  readonly count: number;
  /** UIDNEXT of the destination from which the next ones are looked for. */
  readonly copiedFrom: number;
}

/** Makes, renames and removes mailboxes at the mail server, and moves what is in them (decisions 4). */
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
    /**
     * Moves some hundred messages, oldest first, with flags and times of arrival, into another mailbox. Where the server
     * has no MOVE they are copied, then removed: what is in the destination from UID `copiedFrom` on and equals one of
     * them by Message-ID, arrival and size is its copy from an attempt that was cut, and is not made again.
     */
    readonly moveMessages: (
      account: AccountId,
      from: string,
      to: string,
      copiedFrom: number,
    ) => Effect.Effect<MovedMessages, MailboxAccessError | FolderNotFound>;
  }
>()("@postern/core/folders/MailboxChanges") {}
