import { assert, it } from "@effect/vitest";
import type { ArrivedMessage } from "../../src/watch/index.ts";
import { type FolderSync, settleRound, syncMailbox } from "../../src/watch/neighbours.ts";

const message = (uid: number): ArrivedMessage => ({
  uid,
  emailId: null,
  messageId: "<m@x>",
  size: 100,
  arrivedAt: 1,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
  fields: [],
  summary: null,
});

/** The result of a poll of a folder in which this message arrived. */
const polled = (folderId: string, arrived: ArrivedMessage): FolderSync => {
  const known = { cursor: { uidValidity: 1, uidNext: 10, highestModSeq: null }, seenFrom: 1, seen: new Map() };
  const observed = { cursor: { ...known.cursor, uidNext: 20 }, arrived: [arrived], vanished: [], flags: [] };
  return { id: folderId, folderId, before: known.cursor, sync: syncMailbox(known, observed) };
};

it("an arrival with copies in two folders waits until the departures from both are known", () => {
  const came = [polled("c", message(11))];
  const alike = ["a", "b"].map((folderId) => ({ folderId, message: message(1) }));
  const round = (held: ReadonlySet<string>, ...read: ReadonlyArray<string>) =>
    settleRound(came, alike, held, false, undefined, (folderId) => read.includes(folderId));
  const first = round(new Set(), "a", "b");
  assert.deepStrictEqual([...first.waiting], ["c"]);
  for (const read of [["a"], ["b"]]) assert.deepStrictEqual([...round(first.held, ...read).waiting], ["c"]);
  const last = round(first.held, "a", "b");
  assert.deepStrictEqual([last.waiting.size, last.folders[0]!.changes.map(({ _tag }) => _tag)], [0, ["Received"]]);
});
