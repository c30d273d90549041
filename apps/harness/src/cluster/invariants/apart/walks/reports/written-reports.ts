import { undeliverableNotice } from "@postern/memory";
import type { TakenMessage } from "../../../../servers/SmtpSink.ts";

export const KINDS = ["bounced", "delayed", "complained"] as const;
export type ReportKind = (typeof KINDS)[number];
/** How a report names its message: by its Message-ID, by the id of its envelope, or only by its recipient and subject. */
export const NAMINGS = ["message", "envelope", "subject"] as const;

interface ReportText {
  readonly kind: ReportKind;
  readonly naming: (typeof NAMINGS)[number];
  readonly about: Pick<TakenMessage, "from" | "envelopeId" | "raw">;
  /** The recipients whom the report names; none if it is a complaint that redacts who complains. */
  readonly recipients: ReadonlyArray<string>;
  readonly now: number;
  readonly serial: number;
}

/** Writes a report about a message to some of its recipients. */
export const writeReport = ({ kind, naming, about, recipients, now, serial }: ReportText): string => {
  const { from, envelopeId } = about;
  const text = new TextDecoder().decode(about.raw);
  const raw = naming === "message" ? text : text.replace(/^Message-ID: .*\r\n/m, "");
  if (kind === "complained")
    return complaint(from, recipients[0] ?? null, raw, naming === "envelope" ? envelopeId : null, serial);
  const notice = undeliverableNotice(from, recipients, new TextEncoder().encode(raw), now, serial);
  const named =
    naming === "envelope"
      ? (lines: string) => lines.replace(/^Reporting-MTA: /m, `Original-Envelope-Id: ${envelopeId}\r\nReporting-MTA: `)
      : (lines: string) => lines;
  const bounce = named(new TextDecoder().decode(notice));
  if (kind === "bounced") return bounce;
  const delay = bounce
    .replace("Undelivered Mail Returned to Sender", "Delayed Mail (still being retried)")
    .replace(
      "I'm sorry to have to inform you that your message could not",
      "This is a warning only. Your message could not yet",
    )
    .replaceAll("Action: failed", "Action: delayed")
    .replaceAll("Status: 5.1.1", "Status: 4.4.1");
  return recipients.reduce((text, recipient) => text.replaceAll(reason(recipient), later(recipient)), delay);
};

const reason = (recipient: string) => `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown`;
const later = (recipient: string) => `451 4.4.1 <${recipient}>: Connection timed out`;

const complaint = (
  from: string,
  recipient: string | null,
  raw: string,
  envelopeId: string | null,
  serial: number,
): string => {
  const header = raw.slice(0, raw.indexOf("\r\n\r\n"));
  const shown = recipient === null ? header.replace(/^To: .*(?:\r\n[ \t].*)*/m, "To: [redacted]") : header;
  // Some reporters leave the recipient out, others replace the address.
  const named = recipient ?? (serial % 2 === 0 ? null : "redacted@far.test");
  return [
    "From: Abuse <fbl@far.test>",
    `To: ${from}`,
    "Subject: complaint about a message",
    `Message-ID: <complaint-${serial}@far.test>`,
    `Content-Type: multipart/report; report-type=feedback-report; boundary="edge-${serial}"`,
    "",
    `--edge-${serial}`,
    "Content-Type: text/plain",
    "",
    "This is an abuse report about a message.",
    "",
    `--edge-${serial}`,
    "Content-Type: message/feedback-report",
    "",
    "Feedback-Type: abuse",
    "User-Agent: Simulation/1.0",
    "Version: 1",
    ...(envelopeId === null ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
    ...(named === null ? [] : [`Original-Rcpt-To: ${named}`]),
    "",
    `--edge-${serial}`,
    "Content-Type: text/rfc822-headers",
    "",
    `${shown}\r\n\r\n--edge-${serial}--\r\n`,
  ].join("\r\n");
};

/** Returns what the event of a report says of it. */
export const saidOf = (kind: ReportKind, from: string, recipient: string): Readonly<Record<string, unknown>> => {
  const host = from.slice(from.lastIndexOf("@") + 1);
  switch (kind) {
    case "bounced":
      return {
        type: "permanent",
        status: "5.1.1",
        diagnosticCode: reason(recipient),
        reportingMta: host,
        source: "dsn",
      };
    case "delayed":
      return {
        type: "transient",
        status: "4.4.1",
        diagnosticCode: later(recipient),
        reportingMta: host,
        source: "dsn",
      };
    case "complained":
      return { feedbackType: "abuse" };
  }
};
