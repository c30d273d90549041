import { Duration } from "effect";
import { addressKey } from "../mail/index.ts";
import { decodeXtext } from "./mail-address.ts";
import type { RecipientReport, Report } from "./Report.ts";
import { foldText } from "./text-folding.ts";

/** The parts of a sent message that identify it in reports. Times are epoch milliseconds. */
export interface SentMessage {
  readonly id: string;
  /** The Message-IDs of the message, with angle brackets: Postern's own, and its replacement by the server. */
  readonly messageIds: ReadonlyArray<string>;
  /** The ENVID of the submission (RFC 3461, 4.4); null if there was none. */
  readonly envelopeId: string | null;
  readonly subject: string;
  readonly sentAt: number;
  /** The recipients of the envelope: To, Cc and Bcc. `bounced` if a permanent failure is recorded. */
  readonly recipients: ReadonlyArray<{ readonly address: string; readonly bounced: boolean }>;
}

/** The result of a report for one recipient of one sent message. */
export interface Settlement {
  readonly sentId: string;
  /** The address as written in the envelope. */
  readonly recipient: string;
  readonly outcome:
    | { readonly kind: "bounce" | "delay"; readonly report: RecipientReport }
    | { readonly kind: "complaint"; readonly feedbackType: string };
}

/** The maximum time after sending at which a report may match by recipient and subject alone. */
export const SUBJECT_WINDOW = Duration.days(7);

/** The tolerance for clock differences: a report may seem to arrive before its message. */
const CLOCK_SKEW = Duration.minutes(10);

/**
 * Returns the recipients of sent messages that a report concerns. A recipient must be in the message's envelope, and
 * the report must name the message's Message-ID or ENVID. A report that names none of our messages matches by recipient
 * and subject within seven days. A permanent failure counts once per message and recipient.
 */
export const match = (
  report: Report,
  sent: ReadonlyArray<SentMessage>,
  arrivedAt: number,
): ReadonlyArray<Settlement> => {
  if (report.kind === "none") return [];
  const named = namedMessages(report, sent);
  const settled = new Set<string>();
  const settlements: Array<Settlement> = [];
  const settle = (addresses: ReadonlyArray<string>, outcome: Settlement["outcome"]) => {
    for (const { message, address, bounced } of targets(report, named, sent, addresses, arrivedAt)) {
      const key = `${message.id}\n${addressKey(address)}`;
      if (settled.has(key) || (bounced && outcome.kind !== "complaint")) continue;
      settled.add(key);
      settlements.push({ sentId: message.id, recipient: address, outcome });
    }
  };
  if (report.kind === "complaint") {
    const outcome = { kind: "complaint", feedbackType: report.feedbackType } as const;
    // Reporters redact the recipient who complains. If the message had only one recipient, that recipient complained.
    const only = named.length === 1 && named[0]!.recipients.length === 1 ? [named[0]!.recipients[0]!.address] : [];
    const addresses = report.recipients.length > 0 ? report.recipients : only;
    for (const address of addresses) settle([address], outcome);
    return settlements;
  }
  const ordered = report.recipients.toSorted((a, b) => Number(a.type === "transient") - Number(b.type === "transient"));
  for (const one of ordered)
    settle(one.originalRecipient === null ? [one.address] : [one.originalRecipient, one.address], {
      kind: one.type === "permanent" ? "bounce" : "delay",
      report: one,
    });
  return settlements;
};

type Reported = Exclude<Report, { readonly kind: "none" }>;

const bare = (id: string): string => id.trim().replaceAll(/^<|>$/g, "");

const namedMessages = ({ returned }: Reported, sent: ReadonlyArray<SentMessage>): ReadonlyArray<SentMessage> => {
  const ids = new Set(returned.messageIds.map(bare));
  // Many reporters do not decode the ENVID from xtext.
  const envelopeIds = returned.envelopeId === null ? [] : [returned.envelopeId, decodeXtext(returned.envelopeId)];
  return sent.filter(
    (message) =>
      message.messageIds.some((id) => ids.has(bare(id))) ||
      (message.envelopeId !== null && envelopeIds.includes(message.envelopeId)),
  );
};

interface Target {
  readonly message: SentMessage;
  readonly address: string;
  readonly bounced: boolean;
}

const targets = (
  report: Reported,
  named: ReadonlyArray<SentMessage>,
  sent: ReadonlyArray<SentMessage>,
  addresses: ReadonlyArray<string>,
  arrivedAt: number,
): ReadonlyArray<Target> => {
  if (named.length > 0) return named.flatMap((message) => inEnvelope(message, addresses));
  const subject = subjectKey(report.returned.subject ?? "");
  if (subject === "") return [];
  const alike = sent
    .filter(
      ({ subject: own, sentAt }) =>
        subjectKey(own) === subject &&
        arrivedAt - sentAt <= Duration.toMillis(SUBJECT_WINDOW) &&
        sentAt <= arrivedAt + Duration.toMillis(CLOCK_SKEW),
    )
    .toSorted((a, b) => b.sentAt - a.sentAt)
    .flatMap((message) => inEnvelope(message, addresses));
  return alike.slice(0, 1);
};

const inEnvelope = (message: SentMessage, addresses: ReadonlyArray<string>): ReadonlyArray<Target> => {
  for (const address of addresses) {
    const found = message.recipients.find((recipient) => addressKey(recipient.address) === addressKey(address));
    if (found !== undefined) return [{ message, ...found }];
  }
  return [];
};

const subjectKey = (subject: string): string => foldText(subject).trim();
