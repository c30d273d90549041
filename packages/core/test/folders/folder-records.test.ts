import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { EventPublisher } from "../../src/events/index.ts";
import { folderChanges } from "../../src/folders/folder-changes.ts";
import { type FolderRecord, FolderRecords } from "../../src/folders/index.ts";
import { sameFolders } from "../../src/folders/reconcile.ts";
import { changeFolders, folderWriter, recordFolders } from "../../src/folders/record-folders.ts";
import { AccountId } from "../../src/shared/index.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";

const ME = AccountId("me@x.test");
const record = (id: string, path: string, fields: Partial<FolderRecord> = {}): FolderRecord => ({
  id,
  key: id,
  path,
  mailboxId: null,
  uidValidity: 1,
  uidNext: 1,
  createdAt: 0,
  ...fields,
});
const A = record("a", "A");
const B = record("b", "A.B");

describe("the changes between two listings", () => {
  const changes = (
    before: ReadonlyArray<FolderRecord>,
    after: ReadonlyArray<FolderRecord>,
    delimiter: string | null = ".",
  ) => folderChanges(before, after, delimiter).map(({ type, id, name, path }) => `${type} ${id} ${name} ${path}`);

  it("are empty at first, and if nothing changed", () => {
    expect(changes([], [A, B])).toEqual([]);
    expect(changes([A, B], [B, A])).toEqual([]);
  });

  it("are the folders that were created, renamed or deleted, with their last names", () => {
    expect(changes([A], [A, B])).toEqual(["folder.created b B A.B"]);
    expect(changes([A], [A, B], null)).toEqual(["folder.created b A.B A.B"]);
    expect(changes([A, B], [A])).toEqual(["folder.deleted b B A.B"]);
    expect(changes([A, B], [A, { ...B, path: "C" }])).toEqual(["folder.renamed b C C"]);
    expect(changes([A, B], [record("c", "C")])).toEqual([
      "folder.deleted a A A",
      "folder.deleted b B A.B",
      "folder.created c C C",
    ]);
  });
});

it("records are the same with another UIDNEXT or order, but not with another path or identity", () => {
  expect(sameFolders([A, B], [{ ...B, uidNext: 9 }, A])).toBe(true);
  expect(sameFolders([], [])).toBe(true);
  for (const other of [{ path: "Z" }, { mailboxId: "m" }, { uidValidity: 2 }, { id: "z" }, { key: "z" }]) {
    expect(sameFolders([A, B], [A, { ...B, ...other }])).toBe(false);
  }
  expect(sameFolders([A, B], [A])).toBe(false);
  expect(sameFolders([A], [A, B])).toBe(false);
});

describe("records of folders", () => {
  /** A store that another process changes before the first `races` replacements. */
  const store = (races: number) => {
    const state = { known: [A] as ReadonlyArray<FolderRecord>, published: [] as Array<string>, left: races };
    const layer = Layer.mergeAll(
      Layer.mock(FolderRecords, {
        load: () => Effect.sync(() => state.known),
        replace: (_, next, known) =>
          Effect.sync(() => {
            if (state.left-- > 0) state.known = [...state.known, record(`r${state.left}`, `R${state.left}`)];
            if (!sameFolders(state.known, known ?? [])) return false;
            state.known = next;
            return true;
          }),
      }),
      Layer.mock(EventPublisher, {
        publish: (events) => Effect.sync(() => (state.published.push(...events.map(({ type }) => type)), [])),
      }),
      numberedIds,
      readableIds,
      noTransaction,
    );
    return { state, layer };
  };

  it.effect("are replaced with an event for each change, unless another process replaced them", () => {
    const { state, layer } = store(0);
    return Effect.gen(function* () {
      const writer = yield* folderWriter;
      expect(yield* recordFolders(writer, ME, [A, B], [B], ".")).toBe(false);
      expect(state).toMatchObject({ known: [A], published: [] });
      expect(yield* recordFolders(writer, ME, [A], [B], ".")).toBe(true);
      expect(state).toMatchObject({ known: [B], published: ["folder.deleted", "folder.created"] });
    }).pipe(Effect.provide(layer));
  });

  it.effect("are changed again until no other process replaces them in between", () => {
    const { state, layer } = store(2);
    return Effect.gen(function* () {
      yield* changeFolders(yield* folderWriter, ME, ".", (known) => [...known, B]);
      expect(state.known.map(({ id }) => id)).toEqual(["a", "r1", "r0", "b"]);
      expect(state.published).toEqual(["folder.created"]);
    }).pipe(Effect.provide(layer));
  });
});
