import { Context, type Stream } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { OutgoingAttachment, OutgoingContents } from "../OutgoingContents.ts";

/** A message to be written out, the same bytes every time. */
export interface Composition extends OutgoingContents {
  /** With its angle brackets. */
  readonly messageId: string;
  /** Epoch milliseconds. */
  readonly date: number;
  /** Whether Bcc is written: in our own copy only. */
  readonly showBcc: boolean;
}

/** Writes messages as RFC 5322 and MIME (spec 6): no file and no address is ever opened for it. */
export class MessageComposer extends Context.Service<
  MessageComposer,
  {
    /** `read` gives the bytes of an attachment when their turn comes. */
    readonly compose: (
      message: Composition,
      read: (attachment: OutgoingAttachment) => Stream.Stream<Uint8Array, StoreUnavailable>,
    ) => Stream.Stream<Uint8Array, StoreUnavailable>;
  }
>()("@postern/core/send/ports/MessageComposer") {}
