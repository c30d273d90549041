import type { Message } from "../mail/message.ts";
import { mailbox, subjectOf } from "../mail/people.ts";
import { dayAndTime } from "../ui/time.ts";

/** A message being written. */
export interface Draft {
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  readonly text: string;
  /** Ids of the messages it answers and forwards: the service keeps the thread, and carries the files over. */
  readonly replyToMessageId: string | null;
  readonly forwardOf: string | null;
  /** Repeats of the request send nothing twice. */
  readonly key: string;
}

export type Way = "reply" | "replyAll" | "forward";

export const emptyDraft = (): Draft => ({
  to: "",
  cc: "",
  bcc: "",
  subject: "",
  text: "",
  replyToMessageId: null,
  forwardOf: null,
  key: crypto.randomUUID(),
});

const prefixed = (prefix: string, subject: string): string =>
  subject.toLowerCase().startsWith(prefix.toLowerCase()) ? subject : `${prefix} ${subject}`;

/** A reply or a forward, as it is before its writer adds anything; `self` is not written to. */
export const draftFrom = (message: Message, way: Way, self: string): Draft => {
  const sender = { name: message.fromName, address: message.from };
  const quoted = (message.text ?? "").trimEnd();
  if (way === "forward") {
    const head = [
      `From: ${mailbox(sender)}`,
      `Date: ${dayAndTime(message.date)}`,
      `Subject: ${subjectOf(message)}`,
      `To: ${message.to.map(mailbox).join(", ")}`,
    ];
    return {
      ...emptyDraft(),
      subject: prefixed("Fwd:", message.subject),
      forwardOf: message.id,
      text: `\n\n---------- Forwarded message ----------\n${head.join("\n")}\n\n${quoted}\n`,
    };
  }
  const others = [...message.to, ...message.cc].filter(
    ({ address }) => address.toLowerCase() !== self.toLowerCase() && address !== message.from,
  );
  return {
    ...emptyDraft(),
    to: message.replyTo || mailbox(sender),
    cc: way === "replyAll" ? others.map(mailbox).join(", ") : "",
    subject: prefixed("Re:", message.subject),
    text: `\n\nOn ${dayAndTime(message.date)}, ${message.fromName || message.from} wrote:\n${quoted.replaceAll(/^/gm, "> ")}\n`,
    replyToMessageId: message.id,
  };
};
