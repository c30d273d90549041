import type { Message } from "../mail/message.ts";
import { mailbox, subjectOf } from "../mail/people.ts";
import { dayAndTime } from "../ui/time.ts";
import type { Uploaded } from "./upload-file.ts";

/** A file of a draft; `uploaded` is null until the service has it. */
export interface DraftFile {
  readonly name: string;
  readonly size: number;
  readonly uploaded: Uploaded | null;
}

/** A message that is being composed. */
export interface Draft {
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly text: string;
  readonly files: ReadonlyArray<DraftFile>;
  /** Ids of the messages it answers and forwards: the service sets the thread headers and attaches the forwarded files. */
  readonly replyToMessageId: string | null;
  readonly forwardOf: string | null;
  /** The Idempotency-Key of the send request. */
  readonly key: string;
}

export type Way = "reply" | "replyAll" | "forward";

export const emptyDraft = (): Draft => ({
  to: "",
  cc: "",
  bcc: "",
  subject: "",
  text: "",
  files: [],
  replyToMessageId: null,
  forwardOf: null,
  key: crypto.randomUUID(),
});

/** Returns the parts that a draft lacks: a subject, text. */
export const missingParts = ({ subject, text, files, forwardOf }: Draft): ReadonlyArray<string> => [
  ...(subject.trim() === "" ? ["a subject"] : []),
  ...(text.trim() === "" && files.length === 0 && forwardOf === null ? ["text"] : []),
];

const prefixed = (prefix: string, subject: string): string =>
  subject.toLowerCase().startsWith(prefix.toLowerCase()) ? subject : `${prefix} ${subject}`;

/** Returns the draft of a reply or a forward before the user edits it. */
export const draftFrom = (message: Message, way: Way, self: string): Draft =>
  way === "forward" ? forward(message) : reply(message, way, self);

const forward = (message: Message): Draft => {
  const head = [
    `From: ${mailbox(senderOf(message))}`,
    `Date: ${dayAndTime(message.date)}`,
    `Subject: ${subjectOf(message)}`,
    `To: ${message.to.map(mailbox).join(", ")}`,
  ];
  return {
    ...emptyDraft(),
    subject: prefixed("Fwd:", message.subject),
    forwardOf: message.id,
    text: `\n\n---------- Forwarded message ----------\n${head.join("\n")}\n\n${quotable(message)}\n`,
  };
};

const reply = (message: Message, way: Way, self: string): Draft => ({
  ...emptyDraft(),
  ...recipientsOf(message, way, self),
  subject: prefixed("Re:", message.subject),
  text: `\n\nOn ${dayAndTime(message.date)}, ${message.fromName || message.from} wrote:\n${quotable(message).replaceAll(/^/gm, "> ")}\n`,
  replyToMessageId: message.id,
});

/** A reply to the user's own message goes to its recipients; any other reply to the sender, never to the user. */
const recipientsOf = (message: Message, way: Way, self: string): Pick<Draft, "to" | "cc"> => {
  const isAt = (one: string) => (mail: { readonly address: string }) =>
    mail.address.toLowerCase() === one.toLowerCase();
  const isSelf = isAt(self);
  if (isSelf({ address: message.from }) && message.to.length + message.cc.length > 0) {
    return { to: listed(message.to), cc: way === "replyAll" ? listed(message.cc) : "" };
  }
  const isSender = isAt(message.from);
  const others = [...message.to, ...message.cc].filter((mail) => !isSelf(mail) && !isSender(mail));
  return {
    to: message.replyTo || mailbox(senderOf(message)),
    cc: way === "replyAll" ? listed(others) : "",
  };
};

const listed = (people: Message["to"]): string => people.map(mailbox).join(", ");

const senderOf = ({ fromName, from }: Message) => ({ name: fromName, address: from });

const quotable = ({ text }: Message): string => (text ?? "").trimEnd();
