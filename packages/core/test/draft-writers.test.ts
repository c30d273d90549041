import fc from "fast-check";
import { expect, it } from "vitest";
import type { Draft } from "../src/drafts/Draft.ts";
import { absorb, begin, type Comparison, compare, complete, refuse, removePending } from "../src/drafts/draft-state.ts";
import { NEW_DRAFT } from "../src/drafts/open-draft.ts";
import { AccountId } from "../src/shared/index.ts";
import { draftContents } from "./draft-contents.ts";

const ID = "dft_1";

interface Message {
  readonly uid: number;
  readonly token: string | null;
  readonly text: string;
}

const sumOf = ({ token, text }: Pick<Message, "token" | "text">) => `${token}: ${text}`;

/** A draft and its folder, which several writers change a step at a time. */
class World {
  row: Draft = {
    ...NEW_DRAFT,
    id: ID,
    account: AccountId("a@x.test"),
    savedAt: 0,
    contents: draftContents("", "start"),
  };
  folder: ReadonlyArray<Message> = [];
  readonly kept = new Set(["start"]);
  private count = 0;

  next(): string {
    this.count += 1;
    return `w${this.count}`;
  }
  store(token: string | null, text: string): number {
    this.count += 1;
    this.folder = [...this.folder, { uid: this.count, token, text }];
    return this.count;
  }
  remove(uids: ReadonlyArray<number>): void {
    this.folder = this.folder.filter(({ uid }) => !uids.includes(uid));
  }
  compared(): { readonly row: Draft; readonly comparison: Comparison } {
    const copies = this.folder.map(({ uid, token }) => ({ uid, mark: token === null ? null : { draftId: ID, token } }));
    const checksums = new Map(this.folder.map((message) => [message.uid, sumOf(message)]));
    const found = { path: "Drafts", uidValidity: 1, isPartial: false, copies };
    return { row: this.row, comparison: compare(this.row, found, checksums) };
  }
}

const placeOf = (uid: number) => ({ path: "Drafts", uidValidity: 1, uid });

/** The steps of the first save; a writer that is killed takes no further one. */
function* creator(world: World): Generator<undefined> {
  const [token, text] = ["first", "start"];
  world.row = { ...world.row, token, pending: [{ token, checksum: sumOf({ token, text }) }] };
  const copy = placeOf(world.store(token, text));
  yield;
  const isFirst = world.row.version === 1 && world.row.copy === null;
  world.row = isFirst
    ? { ...world.row, copy, pending: removePending(world.row, token) }
    : refuse(world.row, copy, token)[1];
}

/** The steps of saves: compare, begin, store, complete, remove. */
function* saver(world: World): Generator<undefined> {
  for (;;) {
    const { row, comparison } = world.compared();
    yield;
    if (comparison._tag !== "Current") continue;
    const [token, word] = [world.next(), world.next()];
    const text = `${row.contents.text} ${word}`;
    const [isBegun, begun] = begin(world.row, row.version, { token, checksum: sumOf({ token, text }) });
    world.row = begun;
    yield;
    if (!isBegun) continue;
    const copy = placeOf(world.store(token, text));
    yield;
    const superseded = [...comparison.superseded, comparison.copy.uid];
    const saved = { version: row.version + 1, contents: draftContents("", text), savedAt: 0 };
    const [isDone, done] = complete(world.row, row, saved, copy, token, superseded);
    const [isOurs, refused] = refuse(world.row, copy, token);
    world.row = isDone ? done : refused;
    if (isDone) world.kept.add(word);
    yield;
    if (isDone) world.remove(superseded);
    else if (isOurs) world.remove([copy.uid]);
    yield;
  }
}

/** The steps of another mail program: read, store with or without the mark, remove what was read. */
function* editor(world: World, marks: boolean): Generator<undefined> {
  for (;;) {
    const read = world.folder.at(-1);
    yield;
    if (read === undefined) continue;
    const word = world.next();
    world.store(marks ? read.token : null, `${read.text} ${word}`);
    world.kept.add(word);
    yield;
    world.remove([read.uid]);
    yield;
  }
}

/** The steps of a look, which takes over what another client stored. */
function* reader(world: World): Generator<undefined> {
  for (;;) {
    const { row, comparison } = world.compared();
    yield;
    if (comparison._tag !== "Changed") continue;
    const read = world.folder.find(({ uid }) => uid === comparison.copy.uid);
    yield;
    if (read === undefined) continue;
    const saved = { version: row.version + 1, contents: draftContents("", read.text), savedAt: 0 };
    world.row = absorb(world.row, row, saved, comparison)[1];
    yield;
  }
}

it("loses no stored word, however the steps of writers interleave and where they are killed", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(29), { maxLength: 120 }), fc.boolean(), (steps, marks) => {
      const world = new World();
      const first = creator(world);
      first.next();
      const start = [
        () => first,
        () => saver(world),
        () => saver(world),
        () => editor(world, marks),
        () => reader(world),
      ];
      const writers = start.map((writer) => writer());
      for (const step of steps) {
        const n = step % 5;
        // One step in six kills the writer.
        if (step >= 25 && n > 0) writers[n] = start[n]!();
        else if (step < 25) writers[n]!.next();
      }
      // A draft that is looked at until it is settled says what its current copy says.
      const last = reader(world);
      for (let n = 0; n < 60; n++) last.next();
      const { row, comparison } = world.compared();
      if (comparison._tag === "Current") {
        expect(world.folder.find(({ uid }) => uid === comparison.copy.uid)?.text).toBe(row.contents.text);
      } else expect(comparison._tag).toBe("Gone");
      const words = new Set(world.folder.flatMap(({ text }) => text.split(" ")));
      expect([...world.kept].filter((word) => !words.has(word))).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});
