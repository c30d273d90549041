import { Context, type Stream } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { OutgoingAttachment, OutgoingContents } from "../outgoing/OutgoingContents.ts";

/** A message to compose. Equal compositions give equal bytes. */
export interface Composition extends OutgoingContents {
  /** The Message-ID with its angle brackets. */
  readonly messageId: string;
  /** Epoch milliseconds. */
  readonly date: number;
  /** Whether to write Bcc; true only for the copy in Sent. */
  readonly showBcc: boolean;
}

/** Composes messages as RFC 5322 and MIME (spec 6); never opens a file path or URL. */
export class MessageComposer extends Context.Service<
  MessageComposer,
  {
    /** Composes a message; calls `read` to stream an attachment when the attachment is written. */
    readonly compose: (
      message: Composition,
      read: (attachment: OutgoingAttachment) => Stream.Stream<Uint8Array, StoreUnavailable>,
    ) => Stream.Stream<Uint8Array, StoreUnavailable>;
  }
>()("@postern/core/send/ports/MessageComposer") {}
