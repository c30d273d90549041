import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { Drafts, writeMark } from "../../src/drafts/index.ts";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { idOf, ME } from "../messages/mailbox-in-memory.ts";
import { DraftsWorld, fileOf } from "./drafts-in-memory.ts";

const NOW = 1_900_000_000_000;
const DRAFT = { to: "a@y.test", subject: "S", text: "one" };

const draftsOf = (world: DraftsWorld) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const context = yield* Layer.build(world.all);
    const drafts = <A, E>(use: (service: Drafts["Service"]) => Effect.Effect<A, E>) =>
      Effect.provideContext(Effect.flatMap(Drafts, use), context);
    return {
      page: (limit?: number) => drafts((service) => service.page(ME, { limit })),
      create: (request: SendRequest, key?: string) =>
        drafts((service) =>
          service.create(ME, request, key === undefined ? undefined : { caller: "c", key, account: ME }),
        ),
      get: (id: string) => drafts((service) => service.get(ME, id)),
      save: (id: string, version: number, request: SendRequest) =>
        drafts((service) => service.save(ME, id, String(version), request)),
    };
  });
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("the copy of a draft", () => {
  it.effect("has Bcc and the mark of its save, and only complete addresses [S12.1-8]", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create } = yield* draftsOf(world);
      const { id, token } = yield* create({
        to: ["Ann", "a@y.test"],
        cc: "c",
        bcc: "b@y.test",
        headers: { "X-A": "1" },
      });
      expect(world.composed).toMatchObject([
        {
          from: { name: "", address: ME },
          to: [{ name: "", address: "a@y.test" }],
          cc: [],
          bcc: [{ name: "", address: "b@y.test" }],
          text: "",
          html: null,
          headers: [
            ["X-A", "1"],
            ["X-Postern-Draft", writeMark({ draftId: id, token })],
          ],
          messageId: `<${token}@x.test>`,
          date: NOW,
          showBcc: true,
        },
      ]);
    }).pipe(Effect.scoped),
  );

  it.effect("has the own address as sender while the wanted one is not allowed, and no text beside HTML", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create } = yield* draftsOf(world);
      const { contents } = yield* create({ ...DRAFT, from: "other@z.test", text: undefined, html: "<p>x</p>" });
      expect(contents.from).toBe("other@z.test");
      expect(world.composed).toMatchObject([{ from: { address: ME }, text: null, html: "<p>x</p>" }]);
    }).pipe(Effect.scoped),
  );

  it.effect("is recorded before it is stored, so that it is known after a crash", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      world.uploads.set("up_a", 1);
      const { create, save } = yield* draftsOf(world);
      const seen: Array<unknown> = [];
      world.meanwhile = () =>
        seen.push([[...world.rows.values()].map(({ pending }) => pending), [...world.pins.values()]]);
      const { id, token } = yield* create(DRAFT, "k");
      expect(world.claims).toEqual([`begin ${id}`, `complete ${id}`]);
      const first = { token, checksum: `S\none\n${ME},a@y.test ${NOW}` };
      expect(seen).toEqual([[[[first]], []]]);
      const { token: next } = yield* save(id, 1, { ...DRAFT, text: "two", attachments: [{ id: "up_a" }] });
      const second = { token: next, checksum: `S\ntwo\n${ME},a@y.test ${NOW}` };
      expect(seen[1]).toEqual([[[second]], [["up_a"]]]);
    }).pipe(Effect.scoped),
  );

  it.effect("that another request found first stays as a superseded one", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create } = yield* draftsOf(world);
      const copy = { path: "drafts", uidValidity: 1, uid: 99 };
      world.meanwhile = () => {
        for (const [id, row] of world.rows) world.rows.set(id, { ...row, version: 2, copy });
      };
      expect(yield* create(DRAFT)).toMatchObject({ version: 2, copy, stale: [1], pending: [] });
    }).pipe(Effect.scoped),
  );

  it.effect("of an uncompleted save that disappears while it is read does not count", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, get } = yield* draftsOf(world);
      const draft = yield* create(DRAFT);
      const pending = [{ token: "t2", checksum: "c" }];
      world.rows.set(draft.id, { ...draft, pending });
      const uid = world.write("S", "two", { draftId: draft.id, token: "t2" });
      world.afterFind = () => world.drop(uid);
      expect(yield* get(draft.id)).toEqual({ ...draft, pending });
    }).pipe(Effect.scoped),
  );
});

describe("a draft that changes while it is opened", () => {
  it.effect("because it is saved is not deleted, although the copy before is gone", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, get } = yield* draftsOf(world);
      const { id } = yield* create(DRAFT);
      world.drop(1);
      world.afterFind = () => {
        world.afterFind = () => {};
        const uid = world.write("S", "two", { draftId: id, token: "t2" });
        const copy = { path: "drafts", uidValidity: 1, uid };
        world.rows.set(id, { ...world.rows.get(id)!, version: 2, copy, token: "t2" });
      };
      expect(yield* get(id)).toMatchObject({ version: 2, copy: { uid: 2 } });
    }).pipe(Effect.scoped),
  );

  it.effect("is looked at four times, and one that is gone once", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, get } = yield* draftsOf(world);
      const { id } = yield* create(DRAFT);
      world.drop(1);
      let looks = 0;
      world.afterFind = () => {
        looks++;
        world.rows.set(id, { ...world.rows.get(id)!, version: looks + 1 });
      };
      expect(yield* tagOf(get(id))).toBe("DraftChanged");
      expect(looks).toBe(4);
      looks = 0;
      world.afterFind = () => looks++;
      expect(yield* tagOf(get(id))).toBe("DraftNotFound");
      expect(looks).toBe(1);
    }).pipe(Effect.scoped),
  );
});

describe("a draft of another client", () => {
  it.effect("keeps its sender unless it is the own address, and its files as uploads that it pins [S12.1-20]", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { get, page } = yield* draftsOf(world);
      const other = { name: "O", address: "o@z.test" };
      const files = [fileOf("2", "a.csv"), fileOf("3", "b.csv")];
      const attachments = files.map(({ section, name, type, size }) => ({
        id: section,
        name,
        type,
        size,
        inline: false,
      }));
      world.write("A\r\n\tB", "T", null, 5, { from: other, files, attachments: attachments as never });
      world.write("C", "T", null, 4, { from: { name: "Me", address: "ME@x.test" } });
      world.write("D", "T", null, 3, { from: null });
      const entries = (yield* page()).items;
      expect(entries.map((one) => [one.subject, one.hasAttachments])).toEqual([
        ["A\r\n\tB", true],
        ["C", false],
        ["D", false],
      ]);
      const opened = yield* Effect.forEach([1, 2, 3], (uid) => get(idOf("drafts", uid)));
      expect(opened.map(({ contents }) => [contents.from, contents.subject])).toEqual([
        [other, "A B"],
        [null, "C"],
        [null, "D"],
      ]);
      expect(opened[0]!.contents.attachments).toEqual([
        { uploadId: "up_1", name: "a.csv", type: "text/csv", size: 7, contentId: null },
        { uploadId: "up_2", name: "b.csv", type: "text/csv", size: 7, contentId: null },
      ]);
      expect([...world.pins]).toEqual([[idOf("drafts", 1), ["up_1", "up_2"]]]);
    }).pipe(Effect.scoped),
  );

  it.effect("is not found under the UID of a folder that was recreated, or in another folder", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { get, page } = yield* draftsOf(world);
      world.write("A", "T");
      world.uidValidity = 2;
      expect((yield* page()).items.map(({ id }) => id)).toEqual([idOf("drafts", 1, 2)]);
      world.folder("inbox")!.messages = world.written;
      expect(yield* tagOf(get(idOf("inbox", 1)))).toBe("DraftNotFound");
    }).pipe(Effect.scoped),
  );
});

it.effect("a page of drafts has 200 entries at most [S2.8-4]", () =>
  Effect.gen(function* () {
    const { page } = yield* draftsOf(new DraftsWorld());
    expect(yield* page(200)).toMatchObject({ items: [] });
    expect(yield* tagOf(page(201))).toBe("InputInvalid");
  }).pipe(Effect.scoped),
);
