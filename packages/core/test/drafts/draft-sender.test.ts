import { it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { ApprovalChanged } from "../../src/drafts/errors.ts";
import { type Draft, DraftSender, NEW_DRAFT } from "../../src/drafts/index.ts";
import { type OutgoingMessage, RecipientRefused, SendInProgress } from "../../src/send/index.ts";
import { draftContents } from "../draft-contents.ts";
import { idOf, ME } from "../messages/mailbox-in-memory.ts";
import { outgoing, reply } from "../outgoing.ts";
import { DraftsWorld } from "./drafts-in-memory.ts";

const NOW = 1_900_000_000_000;

/** A world with one draft, whose copy is the message with UID 1. */
const worldWith = (fields: Partial<Draft> = {}) => {
  const world = new DraftsWorld();
  const uid = world.write("S", "T", { draftId: "dft_1", token: "tok" });
  const copy = { path: "drafts", uidValidity: 1, uid };
  const contents = draftContents("S", "T");
  world.rows.set("dft_1", {
    ...NEW_DRAFT,
    id: "dft_1",
    account: ME,
    savedAt: 0,
    contents,
    copy,
    token: "tok",
    ...fields,
  });
  return world;
};
const SENDING: Partial<Draft> = { state: "sending", outgoing: { id: "out_9", version: 1, mayBeSent: false } };
const journaled = (leased: boolean, fields: Partial<OutgoingMessage> = {}) => ({
  message: { ...outgoing({ "a@y.test": "queued" }), id: "out_9", account: ME, ...fields },
  leased,
});
const SENT = outgoing({ "a@y.test": "sent" }).recipients;

const sendIn = (
  world: DraftsWorld,
  { id = "dft_1", version, key }: { id?: string; version?: string; key?: string } = {},
  within?: (message: OutgoingMessage) => Effect.Effect<void, ApprovalChanged>,
) =>
  Effect.flatMap(DraftSender, (sender) => sender.send(ME, id, version, key, null, within)).pipe(
    Effect.provide(world.all),
  );
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("a repeated request to send a draft", () => {
  const startWaiting = (world: DraftsWorld) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const fiber = yield* Effect.forkChild(sendIn(world));
      yield* TestClock.adjust(0);
      return fiber;
    });

  it.effect("waits for the outcome of the first attempt, which it looks for every 200 ms", () =>
    Effect.gen(function* () {
      const world = worldWith(SENDING);
      world.journal.set("out_9", journaled(true));
      const fiber = yield* startWaiting(world);
      yield* TestClock.adjust(1_100);
      world.journal.set("out_9", journaled(false, { recipients: SENT }));
      yield* TestClock.adjust(99);
      expect(fiber.pollUnsafe()).toBeUndefined();
      yield* TestClock.adjust(1);
      expect(yield* Fiber.join(fiber)).toMatchObject({ id: "out_9", status: "sent" });
    }),
  );

  it.effect("is answered as queued if the first attempt takes more than 15 seconds", () =>
    Effect.gen(function* () {
      const world = worldWith(SENDING);
      world.journal.set("out_9", journaled(true));
      const fiber = yield* startWaiting(world);
      yield* TestClock.adjust(14_999);
      expect(fiber.pollUnsafe()).toBeUndefined();
      yield* TestClock.adjust(1);
      expect(yield* Fiber.join(fiber)).toMatchObject({ id: "out_9", status: "queued" });
    }),
  );

  it.effect.each([
    ["whose message waits and is not being sent", journaled(false), "queued"],
    ["whose message has its outcome while the attempt still ends", journaled(true, { recipients: SENT }), "sent"],
  ] as const)("is answered at once for a draft %s", ([, entry, status]) =>
    Effect.gen(function* () {
      const world = worldWith(SENDING);
      world.journal.set("out_9", entry);
      expect(yield* sendIn(world)).toMatchObject({ id: "out_9", status });
    }),
  );

  it.effect("finds no draft after the journal forgot its message", () =>
    Effect.gen(function* () {
      expect(yield* tagOf(sendIn(worldWith(SENDING)))).toBe("DraftNotFound");
    }),
  );

  it.effect("may name the copy in the folder instead of the draft, and its version", () =>
    Effect.gen(function* () {
      const world = worldWith(SENDING);
      world.journal.set("out_9", journaled(false));
      const id = idOf("drafts", 1);
      expect(yield* sendIn(world, { id })).toMatchObject({ id: "out_9", status: "queued" });
      expect(yield* sendIn(world, { id, version: "1" })).toMatchObject({ id: "out_9", status: "queued" });
      world.rows.set("dft_1", { ...world.rows.get("dft_1")!, version: 3 });
      expect(yield* tagOf(sendIn(world, { id, version: "3" }))).toBe("DraftChanged");
      expect(world.sent).toEqual([]);
    }),
  );

  it.effect("may have an Idempotency-Key of 256 characters at most", () =>
    Effect.gen(function* () {
      const world = worldWith(SENDING);
      world.journal.set("out_9", journaled(false));
      expect(yield* tagOf(sendIn(world, { key: "k".repeat(257) }))).toBe("InputInvalid");
      expect(yield* sendIn(world, { key: "k".repeat(256) })).toMatchObject({ id: "out_9" });
    }),
  );
});

describe("a draft that is changed while it is being sent", () => {
  const change = (world: DraftsWorld, fields: Partial<Draft>) => () => {
    world.meanwhile = () => {};
    world.rows.set("dft_1", { ...world.rows.get("dft_1")!, ...fields });
  };

  it.effect("by another request to send it has the receipt of that request", () =>
    Effect.gen(function* () {
      const world = worldWith();
      world.journal.set("out_9", journaled(false));
      world.meanwhile = change(world, SENDING);
      expect(yield* sendIn(world)).toMatchObject({ id: "out_9", status: "queued" });
      expect(world.sent).toEqual([]);
    }),
  );

  it.effect.each<readonly [string, Partial<Draft>]>([
    ["is saved", { version: 2 }],
    ["is saved and sent", { ...SENDING, version: 2, outgoing: { id: "out_9", version: 2, mayBeSent: false } }],
  ])("and %s is not sent as the version that was read [S12.1-21]", ([, fields]) =>
    Effect.gen(function* () {
      const world = worldWith();
      world.journal.set("out_9", journaled(false));
      world.meanwhile = change(world, fields);
      expect(yield* tagOf(sendIn(world))).toBe("DraftChanged");
      expect(world.sent).toEqual([]);
      expect(world.rows.get("dft_1")).toMatchObject(fields);
    }),
  );

  it.effect("does not have the receipt of an earlier sending that was cancelled [S12.1-21]", () =>
    Effect.gen(function* () {
      const world = worldWith({ state: "draft", outgoing: { id: "out_9", version: 1, mayBeSent: false } });
      world.journal.set("out_9", journaled(false));
      world.meanwhile = change(world, { version: 2 });
      expect(yield* tagOf(sendIn(world))).toBe("DraftChanged");
      expect(world.sent).toEqual([]);
    }),
  );

  it.effect("and is deleted is not found", () =>
    Effect.gen(function* () {
      const world = worldWith();
      world.meanwhile = () => world.rows.delete("dft_1");
      expect(yield* tagOf(sendIn(world))).toBe("DraftNotFound");
      expect(world.sent).toEqual([]);
    }),
  );

  it.effect("under a key in use has the receipt if the key sends this draft, and is refused otherwise", () =>
    Effect.gen(function* () {
      const world = worldWith();
      world.refusal = new SendInProgress();
      expect(yield* tagOf(sendIn(world, { key: "k" }))).toBe("SendInProgress");
      world.journal.set("out_9", journaled(false));
      world.meanwhile = change(world, SENDING);
      expect(yield* sendIn(world, { key: "k" })).toMatchObject({ id: "out_9", status: "queued" });
    }),
  );
});

describe("handing over a draft", () => {
  it.effect("runs the further writes in its transaction, and is undone if one fails [S12.1-22]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = worldWith();
      const before = world.rows.get("dft_1");
      const seen: Array<unknown> = [];
      const within = ({ id }: OutgoingMessage) => Effect.sync(() => void seen.push([id, world.rows.get("dft_1")]));
      const failing = (message: OutgoingMessage) => Effect.andThen(within(message), new ApprovalChanged());
      expect(yield* tagOf(sendIn(world, {}, failing))).toBe("ApprovalChanged");
      expect(world.sent).toEqual([]);
      const handed = {
        state: "sending",
        outgoing: { id: "out_1", version: 1, mayBeSent: false },
        checkAt: NOW + 1_000,
      };
      expect(seen).toEqual([["out_1", { ...before, ...handed }]]);
      expect(world.rows.get("dft_1")).toEqual(before);
      yield* sendIn(world, {}, within);
      expect(seen).toHaveLength(2);
      expect(world.rows.get("dft_1")?.state).toBe("sent");
    }),
  );

  it.effect("puts the draft back before the request is answered, if the first attempt failed", () =>
    Effect.gen(function* () {
      const world = worldWith();
      const recipients = [{ address: "a@y.test", state: "failed", reply: reply(550) }] as const;
      world.failure = [new RecipientRefused({ id: "out_1", rejected: [] }), { recipients, attemptAt: null }];
      expect(yield* tagOf(sendIn(world))).toBe("RecipientRefused");
      expect(world.rows.get("dft_1")).toMatchObject({
        state: "draft",
        reason: { reason: "recipient_refused", detail: "550 said so" },
      });
    }),
  );

  it.effect("fails again while the outcome is unknown, and sends only a later version [S12.1-24]", () =>
    Effect.gen(function* () {
      const world = worldWith({ outgoing: { id: "out_9", version: 1, mayBeSent: true } });
      const recipients = [{ address: "a@y.test", state: "unknown", reply: null }] as const;
      world.journal.set("out_9", journaled(false, { recipients }));
      expect(yield* tagOf(sendIn(world))).toBe("SendOutcomeUnknown");
      expect(world.sent).toEqual([]);
      world.rows.set("dft_1", { ...world.rows.get("dft_1")!, version: 2 });
      expect(yield* sendIn(world)).toMatchObject({ id: "out_1", status: "sent" });
    }),
  );
});
