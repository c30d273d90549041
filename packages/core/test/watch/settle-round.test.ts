import { assert, describe, it } from "@effect/vitest";
import * as fc from "fast-check";
import type { ArrivedMessage, KnownMailbox } from "../../src/watch/index.ts";
import { type FolderSync, type HeldChanges, settleRound, syncMailbox } from "../../src/watch/neighbours.ts";
import type { SeenMessage } from "../../src/watch/SeenMessage.ts";

const FLAGS = { unread: true, flagged: false, answered: false, labels: [] };
const message = (uid: number, name: string, flags: Partial<typeof FLAGS> = {}): ArrivedMessage => ({
  uid,
  emailId: null,
  messageId: `<${name}@x>`,
  size: 100,
  arrivedAt: 1,
  ...FLAGS,
  ...flags,
  fields: [],
  summary: null,
});
const NONE: HeldChanges = new Set();
const cursor = (uidNext: number) => ({ uidValidity: 1, uidNext, highestModSeq: null });

/** The result of a poll of a folder: these messages arrived, those left. */
const polled = (
  folderId: string,
  arrived: ReadonlyArray<ArrivedMessage>,
  left: ReadonlyArray<SeenMessage> = [],
): FolderSync => {
  const known = { cursor: cursor(10), seenFrom: 1, seen: new Map(left.map((one) => [one.uid, one])) };
  const observed = { cursor: cursor(20), arrived, vanished: left.map(({ uid }) => uid), flags: [] };
  return { id: folderId, folderId, before: known.cursor, sync: syncMailbox(known, observed) };
};
const told = (folders: ReturnType<typeof settleRound>["folders"]) =>
  folders.flatMap(({ folderId, changes }) => changes.map(({ _tag, message: { uid } }) => `${_tag} ${folderId} ${uid}`));

describe("a round over several folders", () => {
  it("pairs departures from one folder with arrivals in another, equal messages by their flags [S7.11-3]", () => {
    const left = [message(1, "twin"), message(2, "twin", { flagged: true })];
    const came = [message(11, "twin", { flagged: true }), message(12, "twin")];
    const { folders, moves, held } = settleRound([polled("a", [], left), polled("b", came)], [], NONE, false);
    assert.deepStrictEqual(told(folders), ["Moved b 11", "Moved b 12"]);
    assert.deepStrictEqual(
      moves.map(({ from, now }) => [from.folderId, from.uid, now.folderId, now.uid]),
      [
        ["a", 2, "b", 11],
        ["a", 1, "b", 12],
      ],
    );
    assert.strictEqual(held.size, 0);
  });

  it("reports the flags that changed with a move, and a message that came back under another UID [S7.11-10]", () => {
    const flagged = settleRound(
      [polled("a", [], [message(1, "m")]), polled("b", [message(11, "m", { flagged: true })])],
      [],
      NONE,
      true,
    );
    assert.deepStrictEqual(told(flagged.folders), ["Moved b 11", "FlagsChanged b 11"]);
    const again = settleRound([polled("a", [message(11, "m")], [message(1, "m")])], [], NONE, true);
    assert.deepStrictEqual([told(again.folders), again.moves.length], [["Moved a 11"], 1]);
    const { sync, ...folder } = polled("a", [message(11, "m")], [message(1, "m")]);
    const renumbered = settleRound([{ ...folder, sync: { ...sync, reset: true } }], [], NONE, true);
    assert.deepStrictEqual([told(renumbered.folders), renumbered.moves.length], [[], 1]);
  });

  it("announces a departure once a complete round that began afterwards found the message nowhere [S7.11-4]", () => {
    const gone = polled("a", [message(11, "other")], [message(1, "m")]);
    const first = settleRound([gone], [], NONE, true);
    assert.deepStrictEqual(told(first.folders), ["Received a 11"]);
    assert.deepStrictEqual([first.folders[0]!.sync.cursor, [...first.waiting]], [gone.before, ["a"]]);
    assert.deepStrictEqual(told(settleRound([gone], [], first.held, false).folders), ["Received a 11"]);
    const last = settleRound([gone], [], first.held, true);
    assert.deepStrictEqual(told(last.folders), ["Deleted a 1", "Received a 11"]);
    assert.strictEqual(last.folders[0]!.sync.cursor.uidNext, 20);
  });

  it("reports a move by Postern out of a removed folder [S7.11-5]", () => {
    const came = polled("b", [message(11, "m"), message(12, "new")]);
    const own = new Map([["11 1 b", "removed"]]);
    const { folders } = settleRound([came], [], NONE, true, own);
    assert.deepStrictEqual(told(folders), ["Moved b 11", "Received b 12"]);
    const { changes } = folders[0]!;
    assert.strictEqual(changes[0]?._tag === "Moved" ? changes[0].fromFolderId : null, "removed");
    // The message may have left another folder whose departures are not known yet.
    const alike = [{ folderId: "a", message: message(1, "m") }];
    assert.deepStrictEqual(told(settleRound([came], alike, NONE, false, own).folders), ["Received b 12"]);
  });

  it("delays an arrival that may have left another folder; if the message is still there, the arrival is a copy", () => {
    const came = polled("b", [message(11, "m"), message(12, "new")]);
    const alike = [{ folderId: "a", message: message(1, "m") }];
    const first = settleRound([came], alike, NONE, true);
    assert.deepStrictEqual(told(first.folders), ["Received b 12"]);
    assert.deepStrictEqual(told(settleRound([came], alike, first.held, true).folders), [
      "Received b 11",
      "Received b 12",
    ]);
    const moved = settleRound([came, polled("a", [], [message(1, "m")])], alike, first.held, true);
    assert.deepStrictEqual(told(moved.folders), ["Moved b 11", "Received b 12"]);
  });

  it("delays an arrival that was seen in two folders; if it is still in both, there are two messages [S7.11-4]", () => {
    const [a, b] = [polled("a", [message(11, "m"), message(12, "new")]), polled("b", [message(21, "m")])];
    const first = settleRound([a, b], [], NONE, true);
    assert.deepStrictEqual([told(first.folders), [...first.waiting]], [["Received a 12"], ["a", "b"]]);
    // The message moved from one folder to the other while the folders were polled.
    assert.deepStrictEqual(told(settleRound([b], [], first.held, true).folders), ["Received b 21"]);
    assert.deepStrictEqual(told(settleRound([a, b], [], first.held, true).folders), [
      "Received a 11",
      "Received a 12",
      "Received b 21",
    ]);
    const left = polled("c", [], [message(1, "m")]);
    const moved = settleRound([a, b, left], [], NONE, true);
    assert.deepStrictEqual([told(moved.folders), [...moved.waiting]], [["Moved a 11", "Received a 12"], ["b"]]);
  });

  it("delays copies in a folder with more arrivals than one poll returns for one round only [S7.11-4]", () => {
    const came = polled("b", [message(11, "m")]);
    const alike = [{ folderId: "a", message: message(1, "m") }];
    const isRead = (folderId: string) => folderId !== "b";
    const first = settleRound([came], alike, NONE, false, undefined, isRead);
    assert.deepStrictEqual([told(first.folders), [...first.waiting]], [[], ["b"]]);
    const next = settleRound([came], alike, first.held, false, undefined, isRead);
    assert.deepStrictEqual([told(next.folders), next.waiting.size], [["Received b 11"], 0]);
    // The departures from the other folder are not known yet, unless its own arrivals wait.
    const isNoneRead = () => false;
    const still = settleRound([came], alike, first.held, false, undefined, isNoneRead);
    assert.deepStrictEqual([...still.waiting], ["b"]);
    const mutual = [came, polled("a", [message(12, "n")])];
    const known = [...alike, { folderId: "b", message: message(2, "n") }];
    const { held } = settleRound(mutual, known, NONE, false, undefined, isNoneRead);
    assert.deepStrictEqual(told(settleRound(mutual, known, held, false, undefined, isNoneRead).folders), [
      "Received b 11",
      "Received a 12",
    ]);
  });

  it("delays nothing in the folder Drafts", () => {
    const { folders, held } = settleRound([polled("drafts", [], [message(1, "m")])], [], NONE, false);
    assert.deepStrictEqual([told(folders), held.size], [["Deleted drafts 1"], 0]);
  });
});

const FOLDERS = ["inbox", "f_1", "f_2"];

/**
 * Random changes of three folders. A message arrives, moves, is copied or removed; the follower polls some of the
 * folders; or a process ends, and another one continues with the stored state.
 */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("append" as const), to: fc.nat(2) }),
    fc.record({ kind: fc.constant("move" as const), pick: fc.nat(99), to: fc.nat(2) }),
    fc.record({ kind: fc.constant("expunge" as const), pick: fc.nat(99) }),
    fc.record({ kind: fc.constant("copy" as const), pick: fc.nat(99), to: fc.nat(2) }),
    fc.record({ kind: fc.constant("crash" as const) }),
    fc.record({ kind: fc.constant("poll" as const), which: fc.nat(7) }),
  ),
  { maxLength: 60 },
);

it("a copy of the mailbox that follows the events has each message once, at its location, under one id (300 random histories)", () => {
  fc.assert(
    fc.property(steps, (history) => {
      const boxes = new Map(FOLDERS.map((id) => [id, { uidNext: 1, messages: new Map<number, string>() }]));
      const known = new Map(
        FOLDERS.map((id): [string, KnownMailbox & { readonly seen: Map<number, SeenMessage> }] => [
          id,
          { cursor: cursor(1), seenFrom: 1, seen: new Map() },
        ]),
      );
      const ids = new Map<string, string>();
      const copy = new Map<string, { readonly name: string; readonly folder: string }>();
      const told = new Map<string, number>();
      const tell = (name: string, by: number) => told.set(name, (told.get(name) ?? 0) + by);
      let held = NONE;
      let [named, issued] = [0, 0];
      const put = (to: string, name: string) => boxes.get(to)!.messages.set(boxes.get(to)!.uidNext++, name);
      const pick = (n: number) => {
        const all = FOLDERS.flatMap((folder) =>
          [...boxes.get(folder)!.messages].map(([uid, name]) => ({ folder, uid, name })),
        );
        return all[n % Math.max(1, all.length)];
      };
      const poll = (which: ReadonlyArray<string>): boolean => {
        const syncs = which.map((folderId): FolderSync => {
          const { messages, uidNext } = boxes.get(folderId)!;
          const before = known.get(folderId)!;
          const arrived = [...messages].flatMap(([uid, name]) =>
            uid >= before.cursor.uidNext ? [message(uid, name)] : [],
          );
          const vanished = [...before.seen.keys()].filter((uid) => !messages.has(uid));
          return {
            id: folderId,
            folderId,
            before: before.cursor,
            sync: syncMailbox(before, { cursor: cursor(uidNext), arrived, vanished, flags: [] }),
          };
        });
        const alike = [...known].flatMap(([folderId, { seen }]) =>
          [...seen.values()].map((one) => ({ folderId, message: one })),
        );
        const round = settleRound(syncs, alike, held, which.length === FOLDERS.length);
        for (const { from, now } of round.moves) {
          const id = ids.get(`${from.folderId} ${from.uid}`)!;
          ids.set(`${now.folderId} ${now.uid}`, id);
          copy.set(id, { name: copy.get(id)!.name, folder: now.folderId });
        }
        for (const { folderId, changes, sync } of round.folders) {
          for (const { _tag, message: one } of changes) {
            const at = `${folderId} ${one.uid}`;
            const name = one.messageId!;
            if (_tag === "Received") {
              tell(name, 1);
              const id = `id ${issued++}`;
              ids.set(at, id);
              copy.set(id, { name, folder: folderId });
            }
            if (_tag === "Deleted") {
              tell(name, -1);
              copy.delete(ids.get(at)!);
            }
          }
          const { seen } = known.get(folderId)!;
          for (const uid of sync.forget) seen.delete(uid);
          for (const one of sync.remember) seen.set(one.uid, one);
          known.set(folderId, { cursor: sync.cursor, seenFrom: 1, seen });
        }
        held = round.held;
        return round.waiting.size > 0;
      };
      for (const step of history) {
        if (step.kind === "append") put(FOLDERS[step.to]!, String(named++));
        else if (step.kind === "crash") held = NONE;
        else if (step.kind === "poll") poll(FOLDERS.filter((_, n) => (step.which >> n) & 1));
        else {
          const one = pick(step.pick);
          if (one === undefined) continue;
          if (step.kind !== "copy") boxes.get(one.folder)!.messages.delete(one.uid);
          if (step.kind !== "expunge") put(FOLDERS[step.to]!, one.name);
        }
      }
      let rounds = 0;
      while (poll(FOLDERS)) assert.isBelow(++rounds, 3);
      const there = FOLDERS.flatMap((folder) =>
        [...boxes.get(folder)!.messages.values()].map((name) => `<${name}@x> ${folder}`),
      );
      const shown = [...copy.values()].map(({ name, folder }) => `${name} ${folder}`);
      assert.deepStrictEqual(shown.toSorted(), there.toSorted());
      for (const [name, count] of told) {
        assert.strictEqual(count, there.filter((one) => one.startsWith(`${name} `)).length, `told of ${name}`);
      }
    }),
    { numRuns: 300 },
  );
});
