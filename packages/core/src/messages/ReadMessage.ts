import type { Effect, Result, Stream } from "effect";
import type { Attachment, MailboxAccessError, MessageSummary } from "../mail/index.ts";
import type { MessageNotFound, MessageUnparsable } from "./errors.ts";
import type { ReadableMessage } from "./ports/MessageParser.ts";

/** A part that is not read as text. */
export interface MessageAttachment extends Attachment {
  /** Whether it is a picture of the HTML rather than a file. */
  readonly inline: boolean;
  readonly contentId: string | null;
  /** Below the service's address. */
  readonly url: string;
}

/** A message with all a reader wants to know of it (spec 5). */
export interface ReadMessage {
  /** The id it has where it lies now. */
  readonly id: string;
  readonly path: string;
  readonly summary: MessageSummary;
  readonly attachments: ReadonlyArray<MessageAttachment>;
  readonly parsed: Result.Result<ReadableMessage, MessageUnparsable>;
  /** Whether its texts are longer than what is read of them. */
  readonly truncated: boolean;
  /** Message-IDs with their angle brackets. */
  readonly inReplyTo: string | null;
  readonly references: ReadonlyArray<string>;
}

type Bytes = Stream.Stream<Uint8Array, MailboxAccessError | MessageNotFound>;

/** Bytes of a message on their way to a client. */
export interface DownloadedBytes {
  readonly name: string | null;
  /** As the message says: not to be believed. */
  readonly type: string;
  /** The same for the same bytes. */
  readonly tag: string;
  /** Begun already: failures to begin are known. To be run once. */
  readonly first: Bytes;
  /** From the beginning again. */
  readonly bytes: Effect.Effect<Bytes, MailboxAccessError | MessageNotFound>;
}
