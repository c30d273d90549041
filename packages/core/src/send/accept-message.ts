import { Result } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { MessageToSend } from "./MessageToSend.ts";
import { checkSize, encodedSize } from "./encoded-size.ts";
import type { AnsweredMessage } from "./replies/answered-message.ts";
import type { MessageTooLarge } from "./errors.ts";
import type { Sender } from "./identities/Sender.ts";
import type { TrackedMessage } from "./opens/opens.ts";
import type { OutgoingAttachment, OutgoingContents } from "./outgoing/OutgoingContents.ts";
import type { MessageAuthor, OutgoingMessage } from "./outgoing/OutgoingMessage.ts";
import { withPixel } from "./opens/tracking-pixel.ts";

/** The records that are journaled for a message. */
export interface AcceptedMessage {
  readonly message: OutgoingMessage;
  readonly contents: OutgoingContents;
  /** Null if openings are not tracked. */
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
 * Returns the records to journal, unless the message is too large: an envelope with each address once, the contents, and the tracking image if
 * requested.
 */
export const acceptMessage = (
  account: AccountId,
  wanted: MessageToSend,
  sender: Sender,
  attachments: ReadonlyArray<OutgoingAttachment>,
  { id, trackingId, baseUrl, now, author }: Circumstances,
): Result.Result<AcceptedMessage, MessageTooLarge> => {
  const { to, cc, bcc, subject, text, inReplyTo, references, headers } = wanted;
  const replyTo = wanted.replyTo.length > 0 ? wanted.replyTo : sender.replyTo;
  const messageId = `<${id}@${account.slice(account.lastIndexOf("@") + 1)}>`;
  const envelope = [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
  const { trackOpens } = wanted;
  const html =
    wanted.html !== null && trackOpens ? withPixel(wanted.html, `${baseUrl}/t/${trackingId}.gif`) : wanted.html;
  const headerText = JSON.stringify([
    sender.from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    inReplyTo,
    references,
    headers,
    attachments,
  ]);
  const size = encodedSize([text ?? "", html ?? ""], headerText, attachments);
  const [recipient = null] = envelope;
  return Result.map(checkSize(size), () => ({
    message: {
      id,
      account,
      messageId,
      ...(author === null ? {} : { author }),
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
          recipient: envelope.length === 1 ? recipient : null,
          opens: {},
          events: 0,
        }
      : null,
  }));
};

/** Returns the message with In-Reply-To and References of the original message, unless the client set them. */
export const answeringMessage = (wanted: MessageToSend, answered: AnsweredMessage): MessageToSend => ({
  ...wanted,
  inReplyTo: wanted.inReplyTo ?? answered.inReplyTo,
  references: wanted.references.length > 0 ? wanted.references : answered.references,
});
