import { Context, type Effect, type Stream } from "effect";
import type { MailboxAccessError } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";

/** The account's Sent folder (spec 6). */
export class SentFolder extends Context.Service<
  SentFolder,
  {
    /**
     * Stores a message as read, unless the folder has one with this Message-ID (angle brackets included). Reads the
     * whole message immediately before storing it, and stores nothing if reading fails. The caller guarantees that the
     * folder has no copy of ours until `absentUntil` (epoch ms). Until then, the search for a copy is skipped if the
     * server makes no copies itself.
     */
    readonly keep: (
      account: AccountId,
      messageId: string,
      message: Stream.Stream<Uint8Array, StoreUnavailable>,
      absentUntil: number,
    ) => Effect.Effect<void, MailboxAccessError>;
  }
>()("@postern/core/send/ports/SentFolder") {}
