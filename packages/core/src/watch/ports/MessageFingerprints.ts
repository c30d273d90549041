import { Context, type Effect } from "effect";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { Fingerprint } from "../SeenMessage.ts";

/** Fetches the fingerprints of messages from the mail server (spec 7). */
export class MessageFingerprints extends Context.Service<
  MessageFingerprints,
  {
    /** Returns the fingerprints of the present messages with these UIDs, or of all messages up to a UID; in any order. */
    readonly of: (
      account: AccountId,
      path: string,
      uids: ReadonlyArray<number> | { readonly upTo: number },
    ) => Effect.Effect<ReadonlyArray<Fingerprint>, MailboxAccessError | FolderNotFound | FolderNotSelectable>;
  }
>()("@postern/core/watch/ports/MessageFingerprints") {}
