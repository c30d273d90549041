import { Context, type Effect } from "effect";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { Fingerprint } from "../SeenMessage.ts";

/** A selection of messages of a mailbox: these UIDs, all up to a UID, or all from a UID on. */
export type WantedUids = ReadonlyArray<number> | { readonly upTo: number } | { readonly from: number };

/** The messages found in a mailbox, and the UIDVALIDITY of their UIDs. */
export interface FoundFingerprints {
  readonly uidValidity: number;
  readonly messages: ReadonlyArray<Fingerprint & { readonly uid: number }>;
}

/** Fetches the fingerprints of messages from the mail server (spec 7). */
export class MessageFingerprints extends Context.Service<
  MessageFingerprints,
  {
    /**
     * Returns the fingerprints of the present messages with these UIDs, or of all messages up to a UID or from a UID on;
     * in any order.
     */
    readonly of: (
      account: AccountId,
      path: string,
      uids: WantedUids,
    ) => Effect.Effect<FoundFingerprints, MailboxAccessError | FolderNotFound | FolderNotSelectable>;
  }
>()("@postern/core/watch/ports/MessageFingerprints") {}
