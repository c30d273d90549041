import type { Effect, Result, Stream } from "effect";
import type { Attachment, BodyPart, MailboxAccessError, MessageSummary } from "../mail/index.ts";
import type { MessageNotFound, MessageUnparsable } from "./errors.ts";
import type { ReadableMessage } from "./ports/MessageParser.ts";

/** A part that is not shown as text. */
export interface MessageAttachment extends Attachment {
  /** Whether the part is an inline image of the HTML. */
  readonly inline: boolean;
  readonly contentId: string | null;
  /** The path relative to the service's base URL. */
  readonly url: string;
}

/** A message with its parsed contents (spec 5). */
export interface ReadMessage {
  /** The id of the message at its current location. */
  readonly id: string;
  readonly folder: { readonly id: string; readonly path: string };
  readonly summary: MessageSummary;
  readonly attachments: ReadonlyArray<MessageAttachment>;
  readonly parsed: Result.Result<ReadableMessage, MessageUnparsable>;
  /** Whether the texts were cut to the limits. */
  readonly truncated: boolean;
  /** Whether a program wrote the message. */
  readonly automatic: boolean;
  /** The Message-ID with its angle brackets, and the same in `references`. */
  readonly inReplyTo: string | null;
  readonly references: ReadonlyArray<string>;
}

type Bytes = Stream.Stream<Uint8Array, MailboxAccessError | MessageNotFound>;

/** A download of a message's bytes. */
export interface DownloadedBytes {
  readonly name: string | null;
  /** The media type stated in the message; untrusted. */
  readonly type: string;
  /** The entity tag of the bytes. Equal bytes have equal tags. */
  readonly tag: string;
  /** A stream that has already started, so that errors at its start are known. The stream can be read only once. */
  readonly first: Bytes;
  /** Starts a new stream from the beginning. */
  readonly bytes: Effect.Effect<Bytes, MailboxAccessError | MessageNotFound>;
}

/** An attachment with its text; the text is null if the file has another type or cannot be read. */
export interface AttachedText extends Pick<BodyPart, "name" | "type" | "size"> {
  readonly text: NonNullable<ReadableMessage["visible"]> | null;
  readonly truncated: boolean;
}

/** The number of characters of a header field that are shown. A message with many recipients names them all in one field. */
const MAX_HEADER_CHARS = 16_384;

/** Returns the shown part of a header field's value. */
export const cutHeader = (value: string): string => value.slice(0, MAX_HEADER_CHARS);
