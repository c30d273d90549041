import { Context, type Effect, type Option, type Stream } from "effect";
import type { MailboxCredentialsRejected } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { AttemptOutcome, RecipientReplies } from "../AttemptOutcome.ts";

/** One attempt at a message. */
export interface Submission {
  /** The sender of the envelope, whatever the header says. */
  readonly from: string;
  /** The recipients of the envelope: at least one. */
  readonly recipients: ReadonlyArray<string>;
  /** Bytes at most. */
  readonly size: number;
  /** A notice of ours may go by another server than the account's. */
  readonly kind?: "notice";
  /** Returned in delivery reports (RFC 3461). */
  readonly envelopeId: string;
  readonly message: Stream.Stream<Uint8Array, StoreUnavailable>;
}

/** Hands messages to the account's SMTP server (spec 6). */
export class MailTransport extends Context.Service<
  MailTransport,
  {
    /**
     * Makes one attempt. When the last byte of the message is written and before the dot that ends it, `beforeDot` gets
     * the reply to each RCPT; unless it answers true there is no dot and nothing was sent. Interrupted, it says nothing:
     * past `beforeDot` the message may have been sent.
     */
    readonly deliver: (
      account: AccountId,
      submission: Submission,
      beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
    ) => Effect.Effect<AttemptOutcome, MailboxCredentialsRejected | StoreUnavailable>;
    /** The largest message in bytes the server takes, as far as it has said. */
    readonly maxMessageBytes: Effect.Effect<Option.Option<number>>;
  }
>()("@postern/core/send/ports/MailTransport") {}
