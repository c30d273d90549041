import { DateTime, Option } from "effect";
import type { AccountId, OpaqueIds } from "../shared/index.ts";
import type { EventData, EventType } from "./event-types.ts";
import type { MailEvent } from "./MailEvent.ts";

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Returns an id that sorts by time (epoch milliseconds) and is unique by its random text. */
export const eventId = (occurredAt: number, random: string): string =>
  `evt_${occurredAt.toString(36).padStart(9, "0")}${random}`;

/** Returns the time in an event id, in epoch milliseconds; none if the text is not an event id. */
export const eventTime = (id: string): Option.Option<number> => {
  const time = /^evt_([0-9a-z]{9})/.exec(id)?.[1];
  return time === undefined ? Option.none() : Option.some(Number.parseInt(time, 36));
};

/** The account in the body of an event (spec 7.1). */
export interface EventAccount {
  /** The id that clients see, `acc_…`. */
  readonly id: string;
  readonly email: AccountId;
}

/** Returns the account for the bodies of its events. */
export const eventAccount = (ids: OpaqueIds["Service"], account: AccountId): EventAccount => ({
  id: ids.accountId(account),
  email: account,
});

/**
 * Returns the bounded body `{id, event, timestamp, account, data}` of an event (spec 2.4, 7), with `test: true` before
 * `data` if the event only tests an endpoint. `account` is null for an event that belongs to no account.
 */
export const eventBody = <Type extends EventType>(
  id: string,
  account: EventAccount | null,
  type: Type,
  occurredAt: number,
  data: EventData<Type>,
  origin: "mail" | "test" = "mail",
): Uint8Array => {
  const timestamp = DateTime.formatIso(DateTime.makeUnsafe(occurredAt));
  const mark = origin === "test" ? { test: true } : {};
  return new TextEncoder().encode(
    JSON.stringify({ id, event: type, timestamp, account, ...mark, data: boundData(data) }),
  );
};

/** Returns an event of an account with its body. `about` contains its folders. */
export const writeEvent = <Type extends EventType>(
  id: string,
  account: EventAccount,
  type: Type,
  occurredAt: number,
  data: EventData<Type>,
  about: Pick<MailEvent, "folders" | "standsForMove"> = {},
): MailEvent => ({
  id,
  account: account.email,
  type,
  occurredAt,
  body: eventBody(id, account, type, occurredAt, data),
  ...about,
});

/** The `data` of an event: single values, lists of texts, and records of both. */
export interface DataFields {
  readonly [name: string]: string | number | boolean | null | undefined | ReadonlyArray<string> | DataFields;
}

/** The maximum size of a body in bytes (spec 7); the maxima below add up to less. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Bounds in UTF-16 units; each takes at most six bytes of JSON in UTF-8. */
const MAX_CHARS: Readonly<Record<string, number>> = {
  subject: 998,
  messageId: 998,
  diagnosticCode: 998,
  userAgent: 512,
  folder: 1024,
  path: 1024,
};
const DEFAULT_CHARS = 320;
const LIST_LENGTH = 50;
const LIST_BYTES = 16 * 1024;

const jsonBytes = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length;

/** Cuts text to `most` UTF-16 units without splitting a character, and replaces NUL, because many stores refuse it. */
const boundedText = (text: string, most: number): string => {
  const cut =
    text.length > most ? text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most) : text;
  return cut.toWellFormed().replaceAll("\0", "\uFFFD");
};

/** Cuts a list to 50 items and 16 KiB of JSON. */
const boundedList = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  let bytes = 0;
  const bounded = texts.slice(0, LIST_LENGTH).map((text) => boundedText(text, DEFAULT_CHARS));
  const first = bounded.findIndex((text) => (bytes += jsonBytes(text) + 1) > LIST_BYTES);
  return first === -1 ? bounded : bounded.slice(0, first);
};

const isList = (value: DataFields | ReadonlyArray<string>): value is ReadonlyArray<string> => Array.isArray(value);

/** Cuts the fields of an event to their bounds, and sets `truncated: true` if anything was cut (spec 7). */
export const boundData = (data: DataFields): DataFields => {
  let truncated = false;
  const fields = Object.entries(data).map(([name, value]): [string, DataFields[string]] => {
    if (typeof value === "string") {
      const most = MAX_CHARS[name] ?? DEFAULT_CHARS;
      truncated ||= value.length > most;
      return [name, boundedText(value, most)];
    }
    if (typeof value !== "object" || value === null) return [name, value];
    if (!isList(value)) {
      const { truncated: isCut, ...record } = boundData(value);
      truncated ||= isCut === true;
      return [name, record];
    }
    const list = boundedList(value);
    truncated ||= list.length < value.length || value.some((text) => text.length > DEFAULT_CHARS);
    return [name, list];
  });
  return { ...Object.fromEntries(fields), ...(truncated ? { truncated } : {}) };
};
