import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { EventPublisher, type MailEvent } from "../../src/events/index.ts";
import { endRemoval } from "../../src/folders/end-removal.ts";
import { type FolderRecord, FolderRecords, FolderRemovals, Folders, MailboxTree } from "../../src/folders/index.ts";
import type { FolderRemoval } from "../../src/folders/FolderRemoval.ts";
import { folderWriter } from "../../src/folders/record-folders.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";
import { listedAt } from "./listed.ts";
import { ME } from "./server-in-memory.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const NOW = 1_900_000_000_000;
const record = (id: string, path: string, fields: Partial<FolderRecord> = {}): FolderRecord => ({
  id,
  key: id,
  path,
  mailboxId: null,
  uidValidity: 7,
  uidNext: 1,
  createdAt: 0,
  ...fields,
});

const storeOf = (known: ReadonlyArray<FolderRecord>) => {
  const [asked, events]: [Array<unknown>, Array<unknown>] = [[], []];
  const layer = Layer.mergeAll(
    Layer.mock(FolderRecords, { load: () => Effect.succeed(known), replace: () => Effect.succeed(true) }),
    Layer.mock(MailboxTree, {
      list: (_, expected) =>
        Effect.sync(
          () => (asked.push(expected), known.map(({ path }) => listedAt(path, { role: null, status: null }))),
        ),
    }),
    Layer.mock(FolderRemovals, { forget: (id) => Effect.sync(() => void events.push(`forget ${id}`)) }),
    Layer.mock(EventPublisher, {
      publish: (all: ReadonlyArray<MailEvent>) =>
        Effect.sync(() => {
          for (const { type, body } of all) events.push([type, JSON.parse(new TextDecoder().decode(body)).data]);
          return [];
        }),
    }),
    numberedIds,
    readableIds,
    noTransaction,
  );
  return { asked, events, layer };
};

describe("the stored location of a folder", () => {
  const known = [
    record("f_a", "A"),
    record("B", "C"),
    record("f_b", "B"),
    record("f_name", "Name", { uidValidity: null }),
  ];
  const find = (wanted: string) =>
    Effect.flatMap(Folders, (folders) => folders.findStored(ME, wanted)).pipe(
      Effect.provide(Layer.provide(Folders.layer, storeOf(known).layer)),
    );

  it.effect("is found by its id, then by its path, unless the folder holds no messages", () =>
    Effect.gen(function* () {
      expect(yield* find("f_a")).toEqual(Option.some(known[0]));
      expect(yield* find("A")).toEqual(Option.some(known[0]));
      expect(yield* find("B")).toEqual(Option.some(known[1]));
      for (const absent of ["a", "f_name", "Name", ""]) expect(yield* find(absent)).toEqual(Option.none());
    }),
  );

  it.effect("of the INBOX is known in any case, with any UIDVALIDITY", () =>
    Effect.gen(function* () {
      const inbox = { id: "inbox", key: "inbox", path: "INBOX", uidValidity: null };
      for (const name of ["inbox", "INBOX", "Inbox"]) expect(yield* find(name)).toEqual(Option.some(inbox));
    }),
  );
});

it.effect("a listing names the mailboxes that are expected, without those that hold no messages", () => {
  const { layer, asked } = storeOf([record("f_a", "A"), record("f_n", "N", { uidValidity: null }), record("f_b", "B")]);
  return Effect.gen(function* () {
    yield* (yield* Folders).sync(ME);
    expect(asked).toEqual([["A", "B"]]);
  }).pipe(Effect.provide(Layer.provide(Folders.layer, layer)));
});

describe("the end of a removal that failed", () => {
  const removal = (fields: Partial<FolderRemoval>): FolderRemoval =>
    ({ id: "r1", account: ME, folderId: "f_a", path: "X/Old", delimiter: "/", ...fields }) as FolderRemoval;

  it.effect.each([
    ["X/Old", "/", "Old"],
    ["X/Old", null, "X/Old"],
    ["Old", "/", "Old"],
    ["X/Y.Old", ".", "Old"],
  ] as const)("of %j under the delimiter %j is reported as %j, and is forgotten", ([path, delimiter, name]) => {
    const { layer, events } = storeOf([]);
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const writer = { ...(yield* folderWriter), journal: yield* FolderRemovals };
      yield* endRemoval(writer, removal({ path, delimiter }), "NO", Effect.void);
      expect(events).toEqual(["forget r1", ["folder.delete_failed", { id: "f_a", name, path, reason: "NO" }]]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is not reported without a reason, and changes nothing if the lease was lost", () => {
    const { layer, events } = storeOf([]);
    return Effect.gen(function* () {
      const writer = { ...(yield* folderWriter), journal: yield* FolderRemovals };
      yield* endRemoval(writer, removal({}), undefined, Effect.void);
      expect(events).toEqual(["forget r1"]);
      const lost = new MailServerError({ reason: "busy", operation: "remove", detail: "" });
      expect(yield* Effect.flip(endRemoval(writer, removal({}), "NO", Effect.fail(lost)))).toBe(lost);
      expect(events).toEqual(["forget r1"]);
    }).pipe(Effect.provide(layer));
  });
});
