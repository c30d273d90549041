import { Context, type Effect, type Stream } from "effect";
import type { MailboxAccessError } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";

/** The account's folder of sent mail (spec 6). */
export class SentFolder extends Context.Service<
  SentFolder,
  {
    /**
     * Puts a message there, as read, unless one with its Message-ID (angle brackets included) is there already. We have
     * not put it there ourselves before `absentUntil` (epoch ms): where the server does not either it is not looked for.
     */
    readonly keep: (
      account: AccountId,
      messageId: string,
      message: Stream.Stream<Uint8Array, StoreUnavailable>,
      absentUntil: number,
    ) => Effect.Effect<void, MailboxAccessError>;
  }
>()("@postern/core/send/ports/SentFolder") {}
