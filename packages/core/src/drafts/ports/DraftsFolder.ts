import { Context, type Effect, type Stream } from "effect";
import type { MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { CopyPlace } from "../Draft.ts";
import type { DraftMark } from "../DraftMark.ts";

/** A message found in the Drafts folder. */
export interface FoundCopy {
  readonly uid: number;
  /** Null if the message has no mark, because another client wrote it. */
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
    /** Returns the newest `limit` messages; null if there is no such folder. */
    readonly list: (
      account: AccountId,
      limit: number,
    ) => Effect.Effect<DraftsListing<FoundCopy & { readonly summary: MessageSummary }> | null, MailboxAccessError>;
    /** Returns the messages with the mark of a draft, and the message at `uid`; null if there is no such folder. */
    readonly find: (
      account: AccountId,
      draftId: string,
      uid: number | null,
    ) => Effect.Effect<DraftsListing<FoundCopy> | null, MailboxAccessError>;
    /**
     * Stores a message with this mark and the flags for a draft and for a read message; returns its location. Creates
     * the folder if there is none. A failed call may have stored the message.
     */
    readonly append: (
      account: AccountId,
      mark: DraftMark,
      message: Stream.Stream<Uint8Array, StoreUnavailable>,
    ) => Effect.Effect<CopyPlace, MailboxAccessError>;
  }
>()("@postern/core/drafts/ports/DraftsFolder") {}
