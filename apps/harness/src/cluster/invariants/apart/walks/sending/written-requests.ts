import type { MessageSender } from "@postern/core/send";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";

export type Request = Parameters<MessageSender["Service"]["send"]>[1];

/** The lifetimes that requests ask for. */
export const LIFETIMES = { "90s": 90 * SECOND, "10m": 10 * MINUTE, "6h": 6 * HOUR, "2d": 2 * DAY, "4d": 4 * DAY };
const KINDS = ["one", "one", "other", "refused", "later", "later", "never", "never", "spam", "lost"];
/** A recipient for whom the server refuses the whole message, or the host has no room for its first connection. */
const WHOLE = [
  "limited",
  "limited",
  "size",
  "mail-refused",
  "mail-large",
  "mail-later",
  "mail-never",
  "data-refused",
  "data-later",
  "stopped",
];
/** Writes a request to send to some of the recipients of whom the server thinks differently. */
export const writeRequest = (random: SeededRandom, number: number, now: number): Request => {
  const subject = `mail ${number}`;
  const some = random.some([...new Set(random.some(KINDS, random.between(1, 4)))], 3);
  const kinds = random.chance(0.35) ? [...some, random.pick(WHOLE)] : some;
  const to = kinds.map((kind) => `${kind}-${number}@far.test`);
  const sendAt = random.pick([undefined, undefined, -HOUR, MINUTE, HOUR, 30 * HOUR]);
  const expiresAfter = random.pick([undefined, undefined, undefined, ...Object.keys(LIFETIMES)]);
  return {
    to,
    subject,
    text: "walked",
    ...(sendAt === undefined ? {} : { sendAt: new Date(now + sendAt).toISOString() }),
    ...(expiresAfter === undefined ? {} : { expiresAfter }),
  };
};

/** Returns fields that make any request wrong. */
export const wrongFields = (random: SeededRandom, now: number): Partial<Request> =>
  random.pick<Partial<Request>>([
    { to: undefined },
    { subject: undefined },
    { text: undefined },
    { to: "nobody" },
    { expiresAfter: "5d" },
    { expiresAfter: "345601s" },
    { expiresAfter: "0m" },
    { sendAt: "tomorrow" },
    { sendAt: new Date(now + 367 * DAY).toISOString() },
    { headers: { Subject: "two" } },
    { headers: { "X-Postern-Draft": "d" } },
    { headers: { "X-A": "a\r\nb" } },
    { unsubscribe: { url: "http://far.test/" } },
    { to: Array.from({ length: 101 }, (_, n) => `n${n}@far.test`) },
  ]);
