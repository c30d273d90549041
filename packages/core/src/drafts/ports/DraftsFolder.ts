import { Context, type Effect, type Stream } from "effect";
import type { MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { CopyPlace } from "../Draft.ts";
import type { DraftMark } from "../DraftMark.ts";

/** A copy of a draft that was found, by its UID. */
export interface FoundCopy {
  readonly uid: number;
  /** Null if it is unmarked: another client wrote it. */
  readonly mark: DraftMark | null;
}

/** A part of the Drafts folder. */
export interface DraftsListing<Copy> {
  readonly path: string;
  readonly uidValidity: number;
  /** Ascending by UID. */
  readonly copies: ReadonlyArray<Copy>;
  /** Whether the folder has older messages. */
  readonly isPartial: boolean;
}

/** The folder with the role `drafts` of an account (spec 12.1). */
export class DraftsFolder extends Context.Service<
  DraftsFolder,
  {
    /** The newest `limit` messages; null if there is no such folder. */
    readonly list: (
      account: AccountId,
      limit: number,
    ) => Effect.Effect<DraftsListing<FoundCopy & { readonly summary: MessageSummary }> | null, MailboxAccessError>;
    /** The messages with the mark of a draft, and the one at `uid`; null if there is no such folder. */
    readonly find: (
      account: AccountId,
      draftId: string,
      uid: number | null,
    ) => Effect.Effect<DraftsListing<FoundCopy> | null, MailboxAccessError>;
    /**
     * Stores a message with this mark, as a draft that is read, and returns its place; creates the folder if there is
     * none. After a failure the message may be stored.
     */
    readonly append: (
      account: AccountId,
      mark: DraftMark,
      message: Stream.Stream<Uint8Array, StoreUnavailable>,
    ) => Effect.Effect<CopyPlace, MailboxAccessError>;
  }
>()("@postern/core/drafts/ports/DraftsFolder") {}
