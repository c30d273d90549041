import { encodedSize } from "./encoded-size.ts";
import type { IdentityRecord } from "./Identity.ts";
import type { OutgoingContents } from "./OutgoingContents.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";

const SUBJECT = "Confirm this address";

interface Circumstances {
  /** The id of the identity. */
  readonly id: string;
  readonly token: string;
  readonly baseUrl: string;
  readonly noticesFrom: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the path of the page that verifies an address. */
export const verificationPath = (token: string): string => `/verify/${token}`;

/** Returns the mail whose link verifies an alias (spec 12.2), for the journal. */
export const verificationMail = (
  own: IdentityRecord,
  address: string,
  { id: identity, token, baseUrl, noticesFrom, now }: Circumstances,
): { readonly message: OutgoingMessage; readonly contents: OutgoingContents } => {
  const { account } = own;
  const id = `out_verify_${identity}`;
  const sender = noticesFrom ?? account;
  const text = [
    `${account} wants to send mail as ${address}.`,
    "",
    "If this is your address and you agree, open this page within 7 days and confirm:",
    `${baseUrl}${verificationPath(token)}`,
    "",
    "If not, ignore this mail: without the confirmation the address is not used.",
    "",
  ].join("\n");
  const headers = [["Auto-Submitted", "auto-generated"]] as const;
  const to = [{ name: "", address }];
  return {
    message: {
      id,
      account,
      kind: "notice",
      messageId: `<${id}@${sender.slice(sender.lastIndexOf("@") + 1)}>`,
      createdAt: now,
      from: sender,
      to: [address],
      cc: [],
      subject: SUBJECT,
      recipients: [{ address, state: "queued", reply: null }],
      step: 0,
      attemptAt: now,
      scheduledFor: null,
      paused: null,
      failure: null,
      copy: { state: "none", step: 0, at: null },
    },
    contents: {
      from: { name: noticesFrom === null ? own.name : "Postern", address: sender },
      to,
      cc: [],
      bcc: [],
      replyTo: [],
      subject: SUBJECT,
      text,
      html: null,
      inReplyTo: null,
      references: [],
      headers,
      attachments: [],
      size: encodedSize([text], JSON.stringify([to, SUBJECT, headers]), []),
    },
  };
};
