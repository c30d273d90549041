import { Result } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { MessageToSend } from "./MessageToSend.ts";
import { utf8Length } from "./addresses.ts";
import type { AnsweredMessage } from "./replies/answered-message.ts";
import { MessageTooLarge } from "./errors.ts";
import type { Sender } from "./identities/Sender.ts";
import type { TrackedMessage } from "./opens/opens.ts";
import type { OutgoingAttachment, OutgoingContents } from "./outgoing/OutgoingContents.ts";
import type { MessageAuthor, OutgoingMessage } from "./outgoing/OutgoingMessage.ts";
import { messageIdOf } from "./outgoing/outgoing-state.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { withPixel } from "./opens/tracking-pixel.ts";

/** The records that are journaled for a message. */
export interface AcceptedMessage {
  readonly message: OutgoingMessage;
  readonly contents: OutgoingContents;
  /** The tracked message; null if openings are not tracked. */
  readonly tracked: TrackedMessage | null;
}

interface Circumstances {
  readonly id: string;
  readonly trackingId: string;
  readonly baseUrl: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly author: MessageAuthor | null;
}

/**
 * Returns the records to journal: an envelope with each address once, the contents, and the tracking image if
 * requested. Fails if the message is too large.
 */
export const acceptMessage = (
  account: AccountId,
  wanted: MessageToSend,
  sender: Sender,
  attachments: ReadonlyArray<OutgoingAttachment>,
  { id, trackingId, baseUrl, now, author }: Circumstances,
): Result.Result<AcceptedMessage, MessageTooLarge> => {
  const { to, cc, bcc, subject, text, inReplyTo, references, headers, trackOpens } = wanted;
  const replyTo = wanted.replyTo.length > 0 ? wanted.replyTo : sender.replyTo;
  const messageId = messageIdOf(id, account);
  const envelope = [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
  const html =
    wanted.html !== null && trackOpens ? withPixel(wanted.html, `${baseUrl}/t/${trackingId}.gif`) : wanted.html;
  const header = [sender.from, to, cc, bcc, replyTo, subject, inReplyTo, references, headers, attachments];
  const size = encodedSize([text ?? "", html ?? ""], JSON.stringify(header), attachments);
  return Result.map(checkSize(size), () => ({
    message: {
      id,
      account,
      messageId,
      ...(author === null ? {} : { author }),
      ...(wanted.expiresAfter === null ? {} : { expiresAfter: wanted.expiresAfter }),
      createdAt: now,
      from: account,
      to: to.map(({ address }) => address),
      cc: cc.map(({ address }) => address),
      subject,
      recipients: envelope.map((address) => ({ address, state: "queued", reply: null })),
      step: 0,
      attemptAt: wanted.sendAt ?? now,
      scheduledFor: wanted.sendAt,
      paused: null,
      failure: null,
      copy: { state: "owed", step: 0, at: null },
    },
    contents: {
      from: sender.from,
      to,
      cc,
      bcc,
      replyTo,
      subject,
      text,
      html,
      inReplyTo,
      references,
      headers,
      attachments,
      size,
    },
    tracked: trackOpens
      ? {
          id: trackingId,
          account,
          messageId,
          recipient: envelope.length === 1 ? (envelope[0] ?? null) : null,
          opens: {},
          events: 0,
        }
      : null,
  }));
};

/** Returns the message with In-Reply-To and References that refer to the original message, unless the client set them. */
export const answeringMessage = (wanted: MessageToSend, answered: AnsweredMessage): MessageToSend => ({
  ...wanted,
  inReplyTo: wanted.inReplyTo ?? answered.inReplyTo,
  references: wanted.references.length > 0 ? wanted.references : answered.references,
});

/** Returns the base64 size in lines of 76 characters (RFC 2045, 6.8). */
const base64Size = (bytes: number): number => {
  const characters = Math.ceil(bytes / 3) * 4;
  return characters + Math.ceil(characters / 76) * 2;
};

const PART_HEADER_BYTES = 1024;
/** Returns an upper bound of a message's bytes on the wire, assuming the largest encoding of its text. */
export const encodedSize = (
  texts: ReadonlyArray<string>,
  headerText: string,
  attachments: ReadonlyArray<{ readonly size: number }>,
): number =>
  texts.reduce((sum, text) => sum + 3 * utf8Length(text) + PART_HEADER_BYTES, 0) +
  3 * utf8Length(headerText) +
  attachments.reduce((sum, { size }) => sum + base64Size(size) + PART_HEADER_BYTES, 4 * PART_HEADER_BYTES);

/** Fails for a message that is too large to send. The attempt checks the mail server's limit, which may have been raised. */
export const checkSize = (size: number): Result.Result<void, MessageTooLarge> =>
  size <= MAX_MESSAGE_BYTES
    ? Result.void
    : Result.fail(
        new MessageTooLarge({ detail: `a message may have at most ${MAX_MESSAGE_BYTES} bytes when it is encoded` }),
      );
