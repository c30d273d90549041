import { expect, it } from "vitest";
import { arrivalEvent } from "../src/arrivals/arrival-events.ts";
import { AccountId } from "../src/shared/index.ts";
import type { MessageSummary } from "../src/mail/index.ts";
import type { ArrivedMessage } from "../src/watch/ArrivedMessage.ts";
import type { MailboxChange } from "../src/watch/neighbours.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const UNREADABLE: ArrivedMessage = {
  uid: 7,
  emailId: null,
  messageId: null,
  size: 100,
  arrivedAt: 0,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
  fields: [],
  summary: null,
};

const bodyOf = (change: MailboxChange<ArrivedMessage>) => {
  const account = { id: "acc_1", email: AccountId("demo@postern.test") };
  const folder = { id: "inbox", key: "inbox", path: "INBOX" };
  return JSON.parse(new TextDecoder().decode(arrivalEvent("evt_1", account, { change, folder }, "m1", 0).body));
};
const dataOf = (message: ArrivedMessage, isReturned?: boolean) =>
  bodyOf({ _tag: "Received", message, ...(isReturned === undefined ? {} : { isReturned }) }).data;

const addresses = (count: number) => Array.from({ length: count }, (_, n) => ({ name: "", address: `r${n}@x.test` }));
const summaryOf = (over: Partial<MessageSummary>): ArrivedMessage => ({
  ...UNREADABLE,
  summary: { from: null, subject: "", to: [], toCount: 0, attachments: [], ...over } as MessageSummary,
});

it("announces a message that cannot be read with empty fields [S7.4-2]", () => {
  expect(dataOf(UNREADABLE)).toMatchObject({ uid: 7, id: "m1", from: "", subject: "", to: [], size: 100 });
});

it("announces who wrote to whom, about what and when [S7.1-1]", () => {
  const message = {
    ...summaryOf({
      from: { name: "Ann", address: "ann@x.test" },
      subject: "Lunch?",
      to: addresses(1),
      toCount: 1,
      attachments: [{} as never],
    }),
    messageId: "<a@x.test>",
    arrivedAt: 1_000,
  };
  expect(dataOf(message)).toEqual({
    uid: 7,
    from: "ann@x.test",
    subject: "Lunch?",
    folder: "INBOX",
    id: "m1",
    messageId: "<a@x.test>",
    fromName: "Ann",
    to: ["r0@x.test"],
    toCount: 1,
    date: "1970-01-01T00:00:01.000Z",
    size: 100,
    unread: true,
    automatic: false,
    hasAttachments: true,
  });
  expect(dataOf(UNREADABLE)).toMatchObject({ toCount: 0, hasAttachments: false });
  expect(dataOf(UNREADABLE)).not.toHaveProperty("truncated");
});

it("names fifty recipients at most, and says how many there are [S7.1-5]", () => {
  const fifty = dataOf(summaryOf({ to: addresses(50), toCount: 50 }));
  expect([fifty.to.length, fifty.toCount, fifty.truncated]).toEqual([50, 50, undefined]);
  const more = dataOf(summaryOf({ to: addresses(51), toCount: 51 }));
  expect([more.to.length, more.toCount, more.truncated]).toEqual([50, 51, true]);
  // A summary may list only some of the recipients.
  expect(dataOf(summaryOf({ to: addresses(20), toCount: 60 }))).toMatchObject({ toCount: 60, truncated: true });
});

it("says whether the message was in the inbox before [S7.4-8]", () => {
  expect(dataOf(UNREADABLE, true).returned).toBe(true);
  expect(dataOf(UNREADABLE, false)).not.toHaveProperty("returned");
  expect(dataOf(UNREADABLE)).not.toHaveProperty("returned");
});

it("announces a departed message by its place, and a change of flags with all flags", () => {
  const message = { ...UNREADABLE, flagged: true, labels: ["Work"] };
  expect(bodyOf({ _tag: "Deleted", message })).toMatchObject({
    event: "email.deleted",
    data: { id: "m1", folder: "INBOX", uid: 7 },
  });
  expect(bodyOf({ _tag: "FlagsChanged", message, changed: ["flagged", "label:Work"] })).toMatchObject({
    event: "email.flags_changed",
    data: {
      id: "m1",
      folder: "INBOX",
      uid: 7,
      unread: true,
      flagged: true,
      answered: false,
      labels: ["Work"],
      changed: ["flagged", "label:Work"],
    },
  });
});

it("says whether a program wrote the message [S6.2-11]", () => {
  const written = { ...UNREADABLE, fields: [["auto-submitted", "auto-replied"] as const] };
  expect([UNREADABLE, written].map((message) => dataOf(message).automatic)).toEqual([false, true]);
});
