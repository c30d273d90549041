import { Context, type Effect } from "effect";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { Fingerprint } from "../SeenMessage.ts";

/** Asks the mail server what tells messages from others (spec 7). */
export class MessageFingerprints extends Context.Service<
  MessageFingerprints,
  {
    /** Of the messages of a mailbox with these UIDs, or with all up to one, that are there; in no order. */
    readonly of: (
      account: AccountId,
      path: string,
      uids: ReadonlyArray<number> | { readonly upTo: number },
    ) => Effect.Effect<ReadonlyArray<Fingerprint>, MailboxAccessError | FolderNotFound | FolderNotSelectable>;
  }
>()("@postern/core/watch/ports/MessageFingerprints") {}
