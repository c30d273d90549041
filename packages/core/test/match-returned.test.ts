import { expect, it } from "vitest";
import type { ArrivedMessage } from "../src/watch/ArrivedMessage.ts";
import { matchReturned } from "../src/watch/match-returned.ts";

const arrived = (uid: number, messageId: string | null, arrivedAt = uid): ArrivedMessage => ({
  uid,
  emailId: null,
  messageId,
  size: 100,
  arrivedAt,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
  fields: [],
  summary: null,
});
const received = (message: ArrivedMessage) => ({ _tag: "Received" as const, message });
const left = (id: string, messageId: string | null, arrivedAt = 1) => ({
  id,
  emailId: null,
  messageId,
  size: 100,
  arrivedAt,
  leftAt: 5,
});
const marks = (...of: Parameters<typeof matchReturned>) => {
  const { changes, ids } = matchReturned(...of);
  return [changes.map((change) => change._tag === "Received" && change.isReturned === true), ids];
};

it("marks an arrival for each message that left, and no further copy [S7.4-8]", () => {
  const changes = [received(arrived(7, "<a>")), received(arrived(8, "<a>")), received(arrived(9, "<b>"))];
  expect(marks(changes, [left("1", "<a>"), left("2", "<c>")])).toEqual([[true, false, false], ["1"]]);
});

it("leaves deletions and flags as they are", () => {
  const deleted = { _tag: "Deleted" as const, message: arrived(3, "<a>") };
  expect(marks([deleted], [left("1", "<a>")])).toEqual([[false], []]);
});

it("recognises a message by its EMAILID, whatever its Message-ID and date", () => {
  const arrival = { ...arrived(7, null, 2), emailId: "M1" };
  expect(marks([received(arrival)], [{ ...left("1", null, 1), emailId: "M1" }])).toEqual([[true], ["1"]]);
  expect(marks([received(arrival)], [{ ...left("1", null, 1), emailId: "M2" }])).toEqual([[false], []]);
});

it("recognises a message without Message-ID only by its date", () => {
  expect(marks([received(arrived(7, null, 1))], [left("1", null, 1)])).toEqual([[true], ["1"]]);
  expect(marks([received(arrived(7, null, 2))], [left("1", null, 1)])).toEqual([[false], []]);
});
