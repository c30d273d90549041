import { DateTime } from "effect";
import type { Address } from "../../mail/index.ts";
import type { Invitation } from "../../messages/index.ts";
import { utf8Length } from "../addresses.ts";

/** A user's possible answers to an invitation. */
export type InvitationAnswer = "accept" | "tentative" | "decline";

/** The participation status of each answer (RFC 5545, 3.2.12), and the word for the subject of the mail. */
export const ANSWERS: Readonly<Record<InvitationAnswer, { readonly status: string; readonly word: string }>> = {
  accept: { status: "ACCEPTED", word: "Accepted" },
  tentative: { status: "TENTATIVE", word: "Tentative" },
  decline: { status: "DECLINED", word: "Declined" },
};

/** The maximum length of a line without its continuation space (RFC 5545, 3.1). */
const MAX_LINE_BYTES = 74;

const fold = (line: string): string => {
  let [folded, bytes] = ["", 0];
  for (const character of line) {
    const size = utf8Length(character);
    const isFull = bytes + size > MAX_LINE_BYTES;
    folded += isFull ? `\r\n ${character}` : character;
    bytes = isFull ? 1 + size : bytes + size;
  }
  return folded;
};

const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ");

const text = (value: string): string =>
  withoutControls(value.replaceAll(/[\\;,]/g, "\\$&").replaceAll(/\r\n|\r|\n/g, "\\n"));

const person = (name: string, parameters: string, { name: shown, address }: Address): string =>
  `${name}${shown === "" ? "" : `;CN="${withoutControls(shown.replaceAll('"', "'"))}"`}${parameters}:mailto:${withoutControls(address)}`;

/** Returns the REPLY of one attendee to an invitation (RFC 5546, 3.2.3). `now` in epoch milliseconds. */
export const replyCalendar = (
  { uid, sequence, summary, recurrenceId }: Invitation,
  organizer: Address,
  attendee: Address,
  answer: InvitationAnswer,
  comment: string,
  now: number,
): string =>
  [
    "BEGIN:VCALENDAR",
    "PRODID:-//Postern//EN",
    "VERSION:2.0",
    "METHOD:REPLY",
    "BEGIN:VEVENT",
    `UID:${text(uid)}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${DateTime.formatIso(DateTime.makeUnsafe(now)).replaceAll(/[-:]|\.\d+/g, "")}`,
    ...(recurrenceId === null ? [] : [withoutControls(recurrenceId)]),
    `SUMMARY:${text(summary)}`,
    person("ORGANIZER", "", organizer),
    person("ATTENDEE", `;PARTSTAT=${ANSWERS[answer].status}`, attendee),
    ...(comment === "" ? [] : [`COMMENT:${text(comment)}`]),
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(fold)
    .join("\r\n");
