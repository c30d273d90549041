import type { AccountId } from "../shared/index.ts";
import type { Draft } from "./Draft.ts";
import { encodedSize } from "./encoded-size.ts";
import type { TrackedMessage } from "./opens.ts";
import type { OutgoingAttachment, OutgoingContents } from "./OutgoingContents.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { withPixel } from "./tracking-pixel.ts";

/** The records that are journaled for a draft. */
export interface AcceptedDraft {
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
}

/**
 * Returns the records to journal: an envelope with each address once, the contents, and the tracking image if
 * requested.
 */
export const acceptDraft = (
  account: AccountId,
  draft: Draft,
  attachments: ReadonlyArray<OutgoingAttachment>,
  { id, trackingId, baseUrl, now }: Circumstances,
): AcceptedDraft => {
  const { to, cc, bcc, replyTo, subject, text, inReplyTo, references, headers } = draft;
  const messageId = `<${id}@${account.slice(account.lastIndexOf("@") + 1)}>`;
  const envelope = [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
  const { trackOpens } = draft;
  const html = draft.html !== null && trackOpens ? withPixel(draft.html, `${baseUrl}/t/${trackingId}.gif`) : draft.html;
  const headerText = JSON.stringify([to, cc, bcc, replyTo, subject, inReplyTo, references, headers, attachments]);
  const size = encodedSize([text ?? "", html ?? ""], headerText, attachments);
  const [recipient] = envelope;
  return {
    message: {
      id,
      account,
      messageId,
      createdAt: now,
      from: account,
      to: to.map(({ address }) => address),
      cc: cc.map(({ address }) => address),
      subject,
      recipients: envelope.map((address) => ({ address, state: "queued", reply: null })),
      step: 0,
      attemptAt: draft.sendAt ?? now,
      scheduledFor: draft.sendAt,
      paused: null,
      failure: null,
      copy: { state: "owed", step: 0, at: null },
    },
    contents: {
      from: { name: "", address: account },
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
          recipient: envelope.length === 1 ? recipient! : null,
          opens: {},
          events: 0,
        }
      : null,
  };
};
