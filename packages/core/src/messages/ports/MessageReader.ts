import { Context, type Effect, type Scope, type Stream } from "effect";
import type { BodyPart, MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { MessageNotFound } from "../errors.ts";

/** Where a message lies at the mail server. */
export interface MessagePlace {
  readonly path: string;
  readonly uidValidity: number;
  readonly uid: number;
}

/** A message as the server shows it without its contents; header bytes are cut at `HEADER_LIMIT`. */
export interface OpenMessage {
  readonly summary: MessageSummary;
  /** Null where the server cannot say. */
  readonly structure: BodyPart | null;
  readonly header: Uint8Array;
  /** The first bytes of leaf parts, still encoded, in the order asked; empty for a part there is not. */
  readonly beginnings: (
    sections: ReadonlyArray<string>,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Uint8Array>, MailboxAccessError | MessageNotFound>;
}

/** Bytes of a header that are read. */
export const HEADER_LIMIT = 256 * 1024;

/** What is read of a message: one of its parts, or all of it as it came. */
export type WantedBytes = Pick<BodyPart, "section" | "encoding"> | "raw";

/** Reads single messages, and marks none as read (spec 5). */
export class MessageReader extends Context.Service<
  MessageReader,
  {
    /** `MessageNotFound` where the mailbox is gone or was recreated, or the message is gone. */
    readonly open: (
      account: AccountId,
      place: MessagePlace,
    ) => Effect.Effect<OpenMessage, MailboxAccessError | MessageNotFound, Scope.Scope>;
    /**
     * The decoded bytes of a part, or the whole raw message, as a stream that reads no faster than it is drawn and on
     * which no listing ever waits. Answers once the first bytes are there. What is broken in base64 or quoted-printable is
     * left out or taken as it stands.
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
