import { Context, type Effect, type Option, type Stream } from "effect";
import type { MailboxAccessError } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { AttemptOutcome, RecipientReplies } from "../outgoing/AttemptOutcome.ts";

/** One attempt at a message. */
export interface Submission {
  /** The sender of the envelope, independent of the From header. */
  readonly from: string;
  /** The recipients of the envelope, at least one. */
  readonly recipients: ReadonlyArray<string>;
  /** An upper bound of the size of the message in bytes. */
  readonly size: number;
  /** Whether the message is a notice, which may use another server than the account's. */
  readonly kind?: "notice";
  /** The ENVID, which delivery reports contain (RFC 3461). */
  readonly envelopeId: string;
  readonly message: Stream.Stream<Uint8Array, StoreUnavailable>;
}

/** Submits messages to the account's SMTP server (spec 6). */
export class MailTransport extends Context.Service<
  MailTransport,
  {
    /**
     * Makes one attempt. After the last byte of the message and before the dot, calls `beforeDot` with the reply to
     * each RCPT. If `beforeDot` returns false, no dot is sent, so the message is not sent. If the attempt is
     * interrupted after `beforeDot`, the message may have been sent.
     */
    readonly deliver: (
      account: AccountId,
      submission: Submission,
      beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
    ) => Effect.Effect<AttemptOutcome, MailboxAccessError>;
    /**
     * Returns the maximum size of a message in bytes that the account's server last announced; none if it never
     * announced a limit. Each attempt asks the server again.
     */
    readonly maxMessageBytes: (account: AccountId) => Effect.Effect<Option.Option<number>>;
  }
>()("@postern/core/send/ports/MailTransport") {}
