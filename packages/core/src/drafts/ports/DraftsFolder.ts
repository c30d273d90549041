import { Context, type Effect, type Stream } from "effect";
import type { MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { CopyPlace } from "../Draft.ts";
import type { DraftMark } from "../DraftMark.ts";

/** A message found in the Drafts folder. */
export interface FoundCopy {
  readonly uid: number;
  /** The mark of the copy; null if another client wrote the message. */
  readonly mark: DraftMark | null;
}

/** A part of the Drafts folder. */
export interface DraftsListing<Copy> {
  readonly path: string;
  readonly uidValidity: number;
  /** The copies in ascending order of UIDs. */
  readonly copies: ReadonlyArray<Copy>;
  /** Whether the folder has older messages. */
  readonly isPartial: boolean;
}

/** The folder with the role `drafts` of an account (spec 12.1). */
export class DraftsFolder extends Context.Service<
  DraftsFolder,
  {
    /** Returns the newest `limit` messages; null if the folder does not exist. */
    readonly list: (
      account: AccountId,
      limit: number,
    ) => Effect.Effect<DraftsListing<FoundCopy & { readonly summary: MessageSummary }> | null, MailboxAccessError>;
    /** Returns the messages with the mark of a draft, and the message at `uid`; null if the folder does not exist. */
    readonly find: (
      account: AccountId,
      draftId: string,
      uid: number | null,
    ) => Effect.Effect<DraftsListing<FoundCopy> | null, MailboxAccessError>;
    /**
     * Stores a message with this mark and the flags of a read draft; returns its location. Creates the folder if it
     * does not exist. The message may be stored although the call failed.
     */
    readonly append: (
      account: AccountId,
      mark: DraftMark,
      message: Stream.Stream<Uint8Array, StoreUnavailable>,
    ) => Effect.Effect<CopyPlace, MailboxAccessError>;
  }
>()("@postern/core/drafts/ports/DraftsFolder") {}
