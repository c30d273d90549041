import type { ApiAnswer } from "@postern/client/browser";
import type { Message } from "../../mail/emails/message.ts";
import { addressList, mailbox, mailboxes, subjectOf } from "../../mail/emails/people.ts";
import { dayAndTime } from "../../ui/time.ts";
import type { Uploaded } from "./upload-file.ts";
import { t } from "../../texts/text.ts";

/** A draft as the service stores it (spec 12.1). */
export type DraftRecord = ApiAnswer<"GET /api/drafts/:id">["data"];

/** A file of a draft: uploading, uploaded, or refused. */
export interface DraftFile {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly progress: number;
  readonly uploaded: Uploaded | null;
  readonly fault: string | null;
  /** Content-ID of a picture in the text; absent for other files. */
  readonly contentId?: string;
}

/** The fields of a draft that the console does not show. A save replaces all fields, so it includes these. */
export interface HiddenFields {
  readonly replyTo?: DraftRecord["replyTo"];
  readonly inReplyTo?: string;
  readonly references?: ReadonlyArray<string>;
  readonly headers?: DraftRecord["headers"];
  readonly trackOpens?: boolean;
  readonly expiresAfter?: string;
  /** The ids of the messages that the draft answers and forwards. The service sets the thread headers and attaches the forwarded files. */
  readonly replyToMessageId?: string;
  readonly forwardOf?: string;
  /**
   * Whether the draft may answer a message that a program wrote; always true here, because a person sends the draft.
   */
  readonly force?: boolean;
}

/** A message that is being composed. */
export interface Draft {
  /** The id of the sender's identity; null for the default identity. */
  readonly from: DraftRecord["from"];
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly files: ReadonlyArray<DraftFile>;
  readonly hidden: HiddenFields;
}

export type Way = "reply" | "replyAll" | "forward";

export const emptyDraft = (): Draft => ({
  from: null,
  to: "",
  cc: "",
  bcc: "",
  subject: "",
  text: "",
  html: null,
  files: [],
  hidden: {},
});

/** Returns the missing parts of a draft. */
export const missingParts = ({ subject, text, files, hidden }: Draft): ReadonlyArray<"subject" | "text"> => [
  ...(subject.trim() === "" ? (["subject"] as const) : []),
  ...(text.trim() === "" && files.length === 0 && hidden.forwardOf === undefined ? (["text"] as const) : []),
];

const withSubjectPrefix = (prefix: string, subject: string): string =>
  subject.toLowerCase().startsWith(prefix.toLowerCase()) ? subject : `${prefix} ${subject}`;

/**
 * Returns the initial draft of a reply or a forward. The console creates it, not the service, so that the draft is
 * shown at once, and stored only if the user writes something.
 */
export const draftFrom = (message: Message, way: Way, own: ReadonlyArray<string>): Draft =>
  way === "forward" ? forward(message) : reply(message, way, own);

const forward = (message: Message): Draft => ({
  ...emptyDraft(),
  subject: withSubjectPrefix("Fwd:", message.subject),
  hidden: { forwardOf: message.id },
  text: `\n\n${forwardHead(message).join("\n")}\n\n${quotedText(message)}\n`,
});

/** Returns the lines above a forwarded message. */
export const forwardHead = (message: Message): ReadonlyArray<string> => [
  t("---------- Forwarded message ----------"),
  t("From: {sender}", { sender: mailbox(senderOf(message)) }),
  t("Date: {time}", { time: dayAndTime(message.date) }),
  t("Subject: {subject}", { subject: subjectOf(message) }),
  t("To: {names}", { names: mailboxes(message.to, message.toCount) }),
];

const reply = (message: Message, way: Way, own: ReadonlyArray<string>): Draft => ({
  ...emptyDraft(),
  ...recipientsOf(message, way, own),
  subject: withSubjectPrefix("Re:", message.subject),
  text: `\n\n${replyHead(message)}\n${quotedText(message).replaceAll(/^/gm, "> ")}\n`,
  hidden: { replyToMessageId: message.id, force: true },
});

/** Returns the line above the quoted message of a reply. */
export const replyHead = (message: Message): string =>
  t("On {time}, {name} wrote:", { time: dayAndTime(message.date), name: message.fromName || message.from });

/**
 * Returns the recipients of a reply. A reply to the user's own message goes to that message's recipients, any other
 * reply to the sender; the user is never a recipient.
 */
const recipientsOf = (message: Message, way: Way, own: ReadonlyArray<string>): Pick<Draft, "to" | "cc"> => {
  const isOneOf = (addresses: ReadonlyArray<string>) => (mail: { readonly address: string }) =>
    addresses.some((address) => address.toLowerCase() === mail.address.toLowerCase());
  const isSelf = isOneOf(own);
  if (isSelf({ address: message.from }) && message.to.length + message.cc.length > 0) {
    return { to: addressList(message.to), cc: way === "replyAll" ? addressList(message.cc) : "" };
  }
  const isSender = isOneOf([message.from]);
  const others = [...message.to, ...message.cc].filter((mail) => !isSelf(mail) && !isSender(mail));
  return {
    to: message.replyTo || mailbox(senderOf(message)),
    cc: way === "replyAll" ? addressList(others) : "",
  };
};

const senderOf = ({ fromName, from }: Message) => ({ name: fromName, address: from });

const quotedText = ({ text }: Message): string => (text ?? "").trimEnd();
