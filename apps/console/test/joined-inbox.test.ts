import { expect, test } from "vitest";
import type { Email } from "../src/mail/emails/email.ts";
import { type InboxPart, joinInboxes } from "../src/mail/joined/joined-inbox.ts";

const at = (hour: number): Email =>
  ({ id: `m${hour}`, date: new Date(Date.UTC(2026, 0, 1, hour)).toISOString() }) as Email;

const part = (account: string, hours: ReadonlyArray<number>, hasMore = false): InboxPart => ({
  account,
  emails: hours.map(at),
  hasMore,
});

const idsOf = (parts: ReadonlyArray<InboxPart>) =>
  joinInboxes(parts).map(({ account, email }) => `${account} ${email.id}`);

test("merges inboxes, newest first", () => {
  expect(idsOf([part("a", [9, 5]), part("b", [7])])).toEqual(["a m9", "b m7", "a m5"]);
  expect(idsOf([])).toEqual([]);
});

test("shows no message that is older than the last shown message of an inbox with more messages", () => {
  expect(idsOf([part("a", [9, 8], true), part("b", [10, 7, 1])])).toEqual(["b m10", "a m9", "a m8"]);
  expect(idsOf([part("a", [9, 8], true), part("b", [10, 5], true)])).toEqual(["b m10", "a m9", "a m8"]);
  expect(idsOf([part("a", [], true), part("b", [3])])).toEqual(["b m3"]);
});
