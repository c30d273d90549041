import { Context, type Effect, type Scope, type Stream } from "effect";
import type { BodyPart, MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { PreviewedText } from "../choose-bodies.ts";
import type { MessageNotFound } from "../errors.ts";
import type { EncodedBody } from "./MessageParser.ts";

/** The location of a message on the mail server. */
export interface MessagePlace {
  readonly path: string;
  readonly uidValidity: number;
  readonly uid: number;
}

/** A message without its contents; its header is cut at `MAX_HEADER_BYTES` bytes. */
export interface OpenMessage {
  readonly summary: MessageSummary;
  /** The MIME tree; null if the server could not parse the message. */
  readonly structure: BodyPart | null;
  readonly header: Uint8Array;
  /** Returns the first `limit` encoded bytes of leaf parts, in the given order; empty for a part that does not exist. */
  readonly readBeginnings: (
    sections: ReadonlyArray<string>,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Uint8Array>, MailboxAccessError | MessageNotFound>;
}

/** The number of bytes of a header that are read. */
export const MAX_HEADER_BYTES = 256 * 1024;

/** The bytes to read: one part, or the whole raw message. */
export type WantedBytes = Pick<BodyPart, "section" | "encoding"> | "raw";

/** The texts of a message that the caller will read, so that an adapter can fetch them with the message's structure. */
export interface ExpectedTexts {
  readonly sections: (structure: BodyPart) => ReadonlyArray<string>;
  readonly limit: number;
}

/** Reads single messages without marking them as read (spec 5). */
export class MessageReader extends Context.Service<
  MessageReader,
  {
    /** Opens a message. Fails with `MessageNotFound` if the message or mailbox is gone or the mailbox was recreated. */
    readonly open: (
      account: AccountId,
      place: MessagePlace,
      expected?: ExpectedTexts,
    ) => Effect.Effect<OpenMessage, MailboxAccessError | MessageNotFound, Scope.Scope>;
    /**
     * Returns for each mailbox the first `PREVIEW_BYTES` encoded bytes of each text to preview, by UID; null for a
     * message without such a text. The result lacks messages that are gone, and all messages of a mailbox that is gone
     * or was recreated.
     */
    readonly readPreviewTexts: (
      account: AccountId,
      asked: ReadonlyArray<Omit<MessagePlace, "uid"> & { readonly uids: ReadonlyArray<number> }>,
      kind: PreviewedText,
    ) => Effect.Effect<ReadonlyArray<ReadonlyMap<number, EncodedBody | null>>, MailboxAccessError>;
    /**
     * Streams the decoded bytes of a part, or the whole raw message, at the pace of the consumer and without delaying
     * listings. Returns once the first bytes have arrived. Invalid base64 or quoted-printable is skipped or passed
     * through.
     */
    readonly bytes: (
      account: AccountId,
      place: MessagePlace,
      wanted: WantedBytes,
    ) => Effect.Effect<
      Stream.Stream<Uint8Array, MailboxAccessError | MessageNotFound>,
      MailboxAccessError | MessageNotFound
    >;
  }
>()("@postern/core/messages/ports/MessageReader") {}
