import { DateTime } from "effect";
import type { AccountId } from "../shared/AccountId.ts";
import type { MailEvent } from "./MailEvent.ts";

/** In every runtime, but not in the types of the language alone. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** An id that sorts by time (epoch milliseconds), then by chance: a random text makes it nobody else's. */
export const eventId = (occurredAt: number, random: string): string =>
  `evt_${occurredAt.toString(36).padStart(9, "0")}${random}`;

/** An event with its body written out. */
export const mailEvent = (
  id: string,
  account: AccountId,
  type: string,
  occurredAt: number,
  data: Readonly<Record<string, unknown>>,
): MailEvent => {
  const timestamp = DateTime.formatIso(DateTime.makeUnsafe(occurredAt));
  const body = new TextEncoder().encode(JSON.stringify({ id, event: type, timestamp, data }));
  return { id, account, type, occurredAt, body };
};

const SUBJECT_CHARS = 998;
const ADDRESS_CHARS = 320;
const LIST_LENGTH = 50;

/** Text cut to so many characters, with no half of a character left over. */
export const boundedText = (text: string, most: number): string => text.slice(0, most).toWellFormed();

export const boundedSubject = (subject: string): string => boundedText(subject, SUBJECT_CHARS);
export const boundedAddress = (address: string): string => boundedText(address, ADDRESS_CHARS);
export const boundedList = (addresses: ReadonlyArray<string>): ReadonlyArray<string> =>
  addresses.slice(0, LIST_LENGTH).map(boundedAddress);

/** Says that lists were cut (decisions 7). */
export const truncation = (...lists: ReadonlyArray<ReadonlyArray<string>>): { readonly truncated?: true } =>
  lists.some(({ length }) => length > LIST_LENGTH) ? { truncated: true } : {};
