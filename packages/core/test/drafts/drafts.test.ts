import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { type Draft, Drafts, DraftSender } from "../../src/drafts/index.ts";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { idOf, ME } from "../messages/mailbox-in-memory.ts";
import { reply } from "../outgoing.ts";
import { DraftsWorld } from "./drafts-in-memory.ts";

const NOW = 1_900_000_000_000;

/** The drafts of a world, at a time that passes with each call. */
const draftsOf = (world: DraftsWorld) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(world.all);
    let now = NOW;
    const at = <A, E>(effect: Effect.Effect<A, E, Drafts | DraftSender>) =>
      Effect.suspend(() => Effect.andThen(TestClock.setTime(now++), Effect.provideContext(effect, context)));
    return {
      list: at(Effect.flatMap(Drafts, (drafts) => drafts.page(ME, {})).pipe(Effect.map(({ items }) => items))),
      create: (request: SendRequest, key?: string) =>
        at(
          Effect.flatMap(Drafts, (drafts) =>
            drafts.create(ME, request, key === undefined ? undefined : { caller: "c", key, account: ME }),
          ),
        ),
      get: (id: string) => at(Effect.flatMap(Drafts, (drafts) => drafts.get(ME, id))),
      save: (id: string, version: number, request: SendRequest) =>
        at(Effect.flatMap(Drafts, (drafts) => drafts.save(ME, id, String(version), request))),
      remove: (id: string, version?: number) =>
        at(
          Effect.flatMap(Drafts, (drafts) =>
            drafts.remove(ME, id, version === undefined ? undefined : String(version)),
          ),
        ),
      send: (id: string, version?: number) =>
        at(
          Effect.flatMap(DraftSender, (sender) =>
            sender.send(ME, id, version === undefined ? undefined : String(version), undefined),
          ),
        ),
    };
  });
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);
/** A draft with these files. */
const files = (...ids: ReadonlyArray<string>) => ({ subject: "S", text: "", attachments: ids.map((id) => ({ id })) });
const subjects = (world: DraftsWorld) => world.written.map(({ subject, text }) => `${subject}: ${text}`);

describe("a draft", () => {
  it.effect("is kept as one message of the Drafts folder, which each save replaces", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, save, get } = yield* draftsOf(world);
      const first = yield* create({ to: "a@y.test", subject: "S", text: "one" });
      expect(first).toMatchObject({
        version: 1,
        state: "draft",
        savedAt: NOW,
        copy: { path: "drafts", uid: 1 },
        pending: [],
        stale: [],
      });
      expect(first.id).toMatch(/^dft_./);
      expect(subjects(world)).toEqual(["S: one"]);
      const second = yield* save(first.id, 1, { subject: "S", text: "two" });
      expect(second).toMatchObject({ id: first.id, version: 2, savedAt: NOW + 1, copy: { uid: 2 }, pending: [] });
      expect(subjects(world)).toEqual(["S: two"]);
      expect(yield* get(first.id)).toEqual(second);
      expect(yield* get(idOf("drafts", 2))).toEqual(second);
      expect([...world.rows.keys()]).toEqual([first.id]);
    }).pipe(Effect.scoped),
  );

  it.effect("is saved only as the version that the client knows", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, save } = yield* draftsOf(world);
      const { id } = yield* create({ subject: "S", text: "one" });
      expect(yield* tagOf(save(id, 2, { text: "x" }))).toBe("DraftChanged");
      yield* save(id, 1, { subject: "S", text: "two" });
      expect(yield* tagOf(save(id, 1, { text: "x" }))).toBe("DraftChanged");
      expect(yield* tagOf(save("dft_none", 1, { text: "x" }))).toBe("DraftNotFound");
      expect(subjects(world)).toEqual(["S: two"]);
    }).pipe(Effect.scoped),
  );

  it.effect("that another request saves meanwhile keeps that version, and the copy of the refused one is removed", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, save, get } = yield* draftsOf(world);
      const { id } = yield* create({ subject: "S", text: "one" });
      world.meanwhile = () => {
        world.meanwhile = () => {};
        world.rows.set(id, { ...world.rows.get(id)!, version: 2 });
      };
      expect(yield* tagOf(save(id, 1, { subject: "S", text: "two" }))).toBe("DraftChanged");
      expect(subjects(world)).toEqual(["S: one"]);
      expect((yield* get(id)).version).toBe(2);
    }).pipe(Effect.scoped),
  );

  it.effect("is found again by a repeated request", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create } = yield* draftsOf(world);
      const { id } = yield* create({ subject: "S", text: "one" });
      expect((yield* create({ subject: "S", text: "one" }, id)).id).toBe(id);
      expect((yield* create({ subject: "T", text: "one" }, "dft_none")).id).not.toBe(id);
      expect(subjects(world)).toEqual(["S: one", "T: one"]);
    }).pipe(Effect.scoped),
  );

  it.effect("pins its files, of which those of all drafts have 1 GiB at most", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, save } = yield* draftsOf(world);
      world.uploads = new Map([
        ["up_a", 2 ** 24],
        ["up_b", 9],
      ]);
      const { id } = yield* create(files("up_a"));
      expect(world.pins.get(id)).toEqual(["up_a"]);
      for (let n = 1; n < 63; n++) yield* create(files("up_a"));
      expect(yield* tagOf(create(files("up_a", "up_b")))).toBe("StorageExceeded");
      yield* create(files("up_a"));
      expect(yield* tagOf(create(files("up_b")))).toBe("StorageExceeded");
      yield* save(id, 1, files("up_b"));
      expect(world.pins.get(id)).toEqual(["up_b"]);
      yield* save(id, 2, files());
      expect(world.pins.has(id)).toBe(false);
    }).pipe(Effect.scoped),
  );

  it.effect("pins no files of earlier saves that failed [S6.1-2]", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, save } = yield* draftsOf(world);
      world.uploads = new Map(["up_a", "up_b", "up_c"].map((id) => [id, 9]));
      const { id } = yield* create(files("up_a"));
      world.meanwhile = () => {
        throw new Error("the mailbox is full");
      };
      for (const file of ["up_b", "up_c"]) yield* Effect.exit(save(id, 1, files(file)));
      expect(world.pins.get(id)?.toSorted()).toEqual(["up_a", "up_c"]);
    }).pipe(Effect.scoped),
  );

  it.effect("is deleted with its copies and its pins, if it is the version that the client names", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      world.uploads.set("up_a", 5);
      const { create, remove, get } = yield* draftsOf(world);
      const { id } = yield* create({ subject: "S", text: "", attachments: [{ id: "up_a" }] });
      expect(yield* tagOf(remove(id, 2))).toBe("DraftChanged");
      yield* remove(id, 1);
      expect([world.written, world.rows.size, world.pins.size]).toEqual([[], 0, 0]);
      expect(yield* tagOf(get(id))).toBe("DraftNotFound");
      expect(yield* tagOf(remove(id))).toBe("DraftNotFound");
    }).pipe(Effect.scoped),
  );

  it.effect("that is handed over while its copies are removed is not deleted [S12.1-21]", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, remove } = yield* draftsOf(world);
      const { id } = yield* create({ subject: "S", text: "one" });
      world.meanwhile = () => world.rows.set(id, { ...world.rows.get(id)!, state: "sending" });
      expect(yield* tagOf(remove(id, 1))).toBe("DraftChanged");
      expect(world.rows.get(id)?.state).toBe("sending");
    }).pipe(Effect.scoped),
  );
});

describe("another client", () => {
  it.effect("changes a draft, which is taken over as the next version", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, get, save, list } = yield* draftsOf(world);
      const { id, token } = yield* create({ subject: "S", text: "one" });
      world.drop(1);
      world.write("S", "theirs", { draftId: id, token });
      expect((yield* list).map((one) => [one.id, one.version])).toEqual([[id, 2]]);
      expect(yield* tagOf(save(id, 1, { text: "x" }))).toBe("DraftChanged");
      const taken = yield* get(id);
      expect(taken).toMatchObject({
        version: 2,
        contents: { text: "theirs", bcc: [{ address: "bcc@x.test" }] },
        copy: { uid: 2 },
      });
      expect(yield* get(id)).toEqual(taken);
      expect((yield* save(id, 2, { subject: "S", text: "mine" })).version).toBe(3);
      expect(subjects(world)).toEqual(["S: mine"]);
    }).pipe(Effect.scoped),
  );

  it.effect("deletes the copy of a draft, and the draft is deleted with it", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, get, list } = yield* draftsOf(world);
      const { id } = yield* create({ subject: "S", text: "one" });
      world.drop(1);
      expect(yield* list).toEqual([]);
      expect(yield* tagOf(get(id))).toBe("DraftNotFound");
      expect(world.rows.size).toBe(0);
    }).pipe(Effect.scoped),
  );

  it.effect("writes a draft, which gets a row when it is opened", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { get, list, remove } = yield* draftsOf(world);
      world.write("Theirs", "text");
      const id = idOf("drafts", 1);
      expect((yield* list).map((one) => [one.id, one.version, one.subject, one.state])).toEqual([
        [id, 1, "Theirs", "draft"],
      ]);
      expect(world.rows.size).toBe(0);
      expect(yield* get(id)).toMatchObject({
        id,
        version: 1,
        contents: { subject: "Theirs", text: "text" },
        copy: { uid: 1 },
      });
      expect([...world.rows.keys()]).toEqual([id]);
      expect(yield* list).toHaveLength(1);
      yield* remove(id);
      expect([world.written, world.rows.size]).toEqual([[], 0]);
      world.folder("inbox")!.messages = world
        .folder("inbox")!
        .messages.concat({ ...world.written[0]!, uid: 5 } as never);
      expect(yield* tagOf(get(idOf("inbox", 5)))).toBe("DraftNotFound");
    }).pipe(Effect.scoped),
  );

  it.effect(
    "writes a draft that two requests open; the one that comes second finds what the first one saved [S12.1-10]",
    () =>
      Effect.gen(function* () {
        const world = new DraftsWorld();
        const { get, save } = yield* draftsOf(world);
        world.write("Theirs", "text");
        const id = idOf("drafts", 1);
        yield* save(id, 1, { subject: "Mine", text: "first" });
        /** The rows that a request found before the other request stored one. */
        const findBefore = () => {
          const rows = world.rows;
          world.rows = new (class extends Map<string, Draft> {
            override get(): undefined {
              world.rows = rows;
            }
          })();
        };
        findBefore();
        expect(yield* tagOf(save(id, 1, { text: "second" }))).toBe("DraftChanged");
        findBefore();
        expect(yield* get(id)).toMatchObject({ id, version: 2, contents: { text: "first" } });
      }).pipe(Effect.scoped),
  );
});

describe("a list of drafts", () => {
  it.effect("has the newest first, both Postern's own and those of other clients", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, list } = yield* draftsOf(world);
      yield* create({ to: "a@y.test", cc: "b@y.test", subject: "first", text: "" });
      yield* create({ subject: "second", text: "" });
      world.write("latest", "", null, NOW + 99);
      world.write("oldest", "", null, 5);
      const entries = yield* list;
      expect(entries.map(({ subject }) => subject)).toEqual(["latest", "second", "first", "oldest"]);
      expect(entries[2]).toMatchObject({
        state: "draft",
        reason: null,
        version: 1,
        savedAt: NOW,
        to: [{ address: "a@y.test" }],
        cc: [{ address: "b@y.test" }],
        hasAttachments: false,
      });
    }).pipe(Effect.scoped),
  );

  it.effect("keeps a draft whose copy may be older than what was listed, and is empty without the folder", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, list } = yield* draftsOf(world);
      yield* create({ subject: "old", text: "" });
      world.drop(1);
      world.isPartial = true;
      expect((yield* list).map(({ subject }) => subject)).toEqual(["old"]);
      world.isPartial = false;
      expect(yield* list).toEqual([]);
      world.folders = [];
      expect(yield* list).toEqual([]);
    }).pipe(Effect.scoped),
  );
});

describe("sending a draft", () => {
  it.effect("sends all fields that were saved [S12.1-4]", () =>
    Effect.gen(function* () {
      const fields = {
        from: "id_1",
        to: [{ name: "A", address: "a@y.test" }],
        cc: [{ name: "", address: "c@y.test" }],
        bcc: [{ name: "", address: "b@y.test" }],
        replyTo: [{ name: "", address: "r@y.test" }],
        subject: "S",
        text: "one",
        html: "<p>one</p>",
        inReplyTo: "<1@y.test>",
        references: ["<0@y.test>", "<1@y.test>"],
        headers: { "X-Case": "7" },
        trackOpens: true,
        force: true,
        sendAt: "2030-03-18T17:46:40.000Z",
        expiresAfter: "6h",
      };
      const world = new DraftsWorld();
      const { create, save, send } = yield* draftsOf(world);
      const { id } = yield* create({ subject: "first" });
      yield* save(id, 1, fields);
      yield* send(id);
      expect(world.sent[0]).toMatchObject({ request: fields });
    }).pipe(Effect.scoped),
  );

  it.effect("hands it over once, and answers a repeated request with the first receipt", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, send, get, list, save, remove } = yield* draftsOf(world);
      const { id } = yield* create({ to: "a@y.test", subject: "S", text: "one" });
      expect(yield* tagOf(send(id, 2))).toBe("DraftChanged");
      expect(yield* send(id, 1)).toMatchObject({ id: "out_1", status: "sent" });
      expect(world.rows.get(id)).toMatchObject({ state: "sent", outgoing: { id: "out_1", version: 1 } });
      expect(yield* send(id)).toMatchObject({ id: "out_1", status: "sent" });
      expect(yield* tagOf(send(id, 2))).toBe("DraftChanged");
      expect(world.sent).toHaveLength(1);
      expect(world.sent[0]).toMatchObject({ request: { subject: "S", text: "one" }, key: undefined });
      world.drop(1);
      expect(yield* list).toEqual([]);
      for (const refused of [get(id), save(id, 1, { text: "x" }), remove(id)])
        expect(yield* tagOf(refused)).toBe("DraftNotFound");
      expect(yield* tagOf(send("dft_none"))).toBe("DraftNotFound");
    }).pipe(Effect.scoped),
  );

  it.effect("leaves the messages that other clients stored with its mark, and each is a draft of its own", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, send, get } = yield* draftsOf(world);
      const { id } = yield* create({ to: "a@y.test", subject: "S", text: "one" });
      const { mark } = world.written[0]!;
      yield* send(id);
      world.drop(1);
      world.rows.set(id, { ...world.rows.get(id)!, copy: null });
      const others = ["two", "three"].map((text) => idOf("drafts", world.write("S", text, mark)));
      const opened = yield* Effect.forEach(others, (other) => get(other));
      expect(opened.map((one) => [one.state, one.contents.text])).toEqual([
        ["draft", "two"],
        ["draft", "three"],
      ]);
    }).pipe(Effect.scoped),
  );

  it.effect("that fails puts it back with the reason, and it may be sent again", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const { create, send, get, list } = yield* draftsOf(world);
      const { id } = yield* create({ to: "a@y.test", subject: "S", text: "one" });
      yield* send(id);
      const entry = world.journal.get("out_1")!;
      world.rows.set(id, { ...world.rows.get(id)!, state: "sending", checkAt: 1 });
      entry.message = {
        ...entry.message,
        recipients: [{ address: "a@y.test", state: "queued", reply: null }],
        attemptAt: 9,
      };
      expect((yield* list)[0]?.state).toBe("sending");
      expect(yield* tagOf(send(id, 3))).toBe("DraftChanged");
      entry.message = {
        ...entry.message,
        recipients: [{ address: "a@y.test", state: "failed", reply: reply(550) }],
        attemptAt: null,
      };
      expect(yield* get(id)).toMatchObject({
        state: "draft",
        reason: { reason: "recipient_refused", detail: "550 said so" },
      });
      expect((yield* list)[0]).toMatchObject({ state: "draft", reason: { reason: "recipient_refused" } });
      expect(yield* send(id)).toMatchObject({ id: "out_2" });
    }).pipe(Effect.scoped),
  );
});
