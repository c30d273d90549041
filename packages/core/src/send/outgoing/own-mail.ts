import type { AccountId } from "../../shared/index.ts";
import { encodedSize } from "../accept-message.ts";
import type { OutgoingContents } from "./OutgoingContents.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { messageIdOf } from "./outgoing-state.ts";

/** A mail that Postern writes itself. */
interface OwnMail {
  readonly id: string;
  readonly account: AccountId;
  /** The sender's address with a display name. */
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly lines: ReadonlyArray<string>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Returns a mail that Postern writes itself, for the journal (spec 6.3). The mail goes to one address and is marked as
 * automatic (RFC 3834).
 */
export const ownMail = ({
  id,
  account,
  from,
  to: address,
  subject,
  lines,
  now,
}: OwnMail): { readonly message: OutgoingMessage; readonly contents: OutgoingContents } => {
  const text = lines.join("\n");
  const headers = [["Auto-Submitted", "auto-generated"]] as const;
  const to = [{ name: "", address }];
  return {
    message: {
      id,
      account,
      kind: "notice",
      messageId: messageIdOf(id, from.address),
      createdAt: now,
      from: from.address,
      to: [address],
      cc: [],
      subject,
      recipients: [{ address, state: "queued", reply: null }],
      step: 0,
      attemptAt: now,
      scheduledFor: null,
      paused: null,
      failure: null,
      copy: { state: "none", step: 0, at: null },
    },
    contents: {
      from,
      to,
      cc: [],
      bcc: [],
      replyTo: [],
      subject,
      text,
      html: null,
      inReplyTo: null,
      references: [],
      headers,
      attachments: [],
      size: encodedSize([text], JSON.stringify([to, subject, headers]), []),
    },
  };
};
