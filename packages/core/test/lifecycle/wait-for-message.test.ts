import { assert, describe, it } from "@effect/vitest";
import { Clock, Deferred, Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import fc from "fast-check";
import { expect } from "vitest";
import type { WaitRequest } from "../../src/lifecycle/wait-for-message.ts";
import { type Arrival, mailbox } from "./waiting-client.ts";

/** Lets a started request run to its first pause. */
const settle = Effect.repeat(Effect.yieldNow, { times: 100 });

const ANN = { name: "Ann Example", address: "ann@one.test" };
const BOB = { name: "Bob", address: "bob@two.test" };

describe("a request that waits for a message", () => {
  it.effect(
    "is answered by the first message that arrives after the request began, with its codes and links [S5.6-1] [S5.6-2]",
    () =>
      Effect.gen(function* () {
        const { arrive, put, announce, wait } = mailbox();
        yield* arrive();
        const late = put("inbox");
        const waiting = yield* Effect.forkChild(wait());
        yield* settle;
        // The message was there before, although its event comes late.
        yield* announce(late);
        yield* settle;
        const text = "Your code is 482913.";
        const id = yield* arrive({ text, html: '<a href="https://one.test/confirm">Confirm</a>' });
        yield* arrive();
        const answer = yield* Fiber.join(waiting);
        assert.deepStrictEqual(answer, { id, next: "e1.3", codes: ["482913"], links: ["https://one.test/confirm"] });
      }),
  );

  it.each<[keyof WaitRequest, string, Arrival]>([
    ["from", "ANN EX", { from: ANN }],
    ["from", "<ann@ONE.test>", { from: ANN }],
    ["to", "bob <bob@two.test>", { to: [ANN, BOB] }],
    ["to", "ANN@", { to: [ANN, BOB] }],
    ["subject", "your Code", { subject: "This is your code" }],
    ["contains", "one two  three", { text: "zero One\n two\r\n\tthree four" }],
  ])("has a part in %s, without case: %s", (field, part, said) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { arrive, wait } = mailbox();
        const waiting = yield* Effect.forkChild(wait({ [field]: part }));
        yield* settle;
        for (const other of [{}, { from: BOB, to: [], subject: "your", text: "One" }]) yield* arrive(other);
        const id = yield* arrive(said);
        assert.strictEqual((yield* Fiber.join(waiting)).id, id);
      }),
    ),
  );

  it.effect("is refused with a field out of its bounds, and with an unknown folder or position", () =>
    Effect.gen(function* () {
      const { state, wait } = mailbox();
      for (const [request, tag] of [
        [{ timeout: 121 }, "InputInvalid"],
        [{ from: "" }, "InputInvalid"],
        [{ after: "e2.0" }, "FeedExpired"],
        [{ folders: ["Nowhere"] }, "FolderNotFound"],
      ] as const) {
        assert.strictEqual((yield* Effect.flip(wait(request)))._tag, tag);
      }
      assert.strictEqual(state.begun, 0);
    }),
  );

  it.effect("checks once the messages that arrived in INBOX before its watch began", () =>
    Effect.gen(function* () {
      const { put, state, wait } = mailbox();
      state.duringBegin = () => void put("inbox", { subject: "unannounced" });
      assert.strictEqual((yield* wait({ subject: "unannounced" })).id, "inbox/1/1");
      const waiting = yield* Effect.forkChild(wait({ subject: "no other" }));
      yield* TestClock.adjust("60 seconds");
      assert.deepStrictEqual(yield* Fiber.join(waiting), { id: null, next: "e1.0", codes: [], links: [] });
      assert.deepStrictEqual(state.listed, ["inbox", "inbox", "inbox", "inbox"]);
    }),
  );

  it.effect("checks other folders every 3 seconds, without a watch, and takes the oldest that match [S5.6-3]", () =>
    Effect.gen(function* () {
      const { put, state, wait } = mailbox();
      for (let n = 0; n < 60; n++) put("f_other", { subject: "wanted" });
      const waiting = yield* Effect.forkChild(
        Effect.zip(wait({ folders: ["Other"], subject: "wanted" }), Clock.currentTimeMillis),
      );
      yield* TestClock.adjust("5 seconds");
      for (let n = 0; n < 20; n++) put("f_other");
      for (let n = 0; n < 120; n++) put("f_other", { subject: "wanted" });
      yield* TestClock.adjust("5 seconds");
      const [{ id }, at] = yield* Fiber.join(waiting);
      assert.deepStrictEqual([id, at], ["f_other/1/81", 6_000]);
      assert.strictEqual(state.begun, 0);
      // At the beginning, after 0 and 3 seconds, then three pages of 50.
      assert.strictEqual(state.listed.length, 6);
    }),
  );

  it.effect("ignores the messages of a recreated folder, except those that arrive later", () =>
    Effect.gen(function* () {
      const { folders, put, wait } = mailbox();
      put("f_other");
      const waiting = yield* Effect.forkChild(wait({ folders: ["f_other"] }));
      yield* TestClock.adjust("1 second");
      folders.set("f_other", { id: "f_other", uidValidity: 2, uids: [1, 2, 3].map((uid) => uid * 10) });
      yield* TestClock.adjust("3 seconds");
      put("f_other");
      yield* TestClock.adjust("3 seconds");
      assert.strictEqual((yield* Fiber.join(waiting)).id, "f_other/2/31");
    }),
  );

  it.effect("goes on if a message is deleted before it is read, or a list changes while it is read", () =>
    Effect.gen(function* () {
      const { put, announce, arrive, remove, state, wait } = mailbox();
      const waiting = yield* Effect.forkChild(wait({ folders: ["inbox", "Other"] }));
      yield* settle;
      state.isStale = true;
      const gone = put("inbox");
      remove(gone);
      yield* announce(gone);
      yield* TestClock.adjust("4 seconds");
      const id = yield* arrive();
      assert.strictEqual((yield* Fiber.join(waiting)).id, id);
    }),
  );

  it.effect("renews its watch every 40 seconds until its timeout, of 60 seconds unless it names one", () =>
    Effect.gen(function* () {
      for (const [timeout, seconds, begun] of [
        [undefined, 60, 2],
        [7, 7, 1],
        [120, 120, 3],
      ] as const) {
        const { state, wait } = mailbox();
        const waiting = yield* Effect.forkChild(wait({ timeout }));
        yield* TestClock.adjust((seconds - 1) * 1_000);
        assert.isUndefined(waiting.pollUnsafe());
        assert.strictEqual(state.begun, begun);
        yield* TestClock.adjust("1 second");
        assert.strictEqual((yield* Fiber.join(waiting)).id, null);
      }
    }),
  );

  it.effect("ends when the service stops, and fails when its session or key ended meanwhile [S5.6-7]", () =>
    Effect.gen(function* () {
      const { arrive, wait } = mailbox();
      const ended = yield* Deferred.make<void>();
      const stopped = yield* Effect.forkChild(wait({ folders: ["Other"] }, { ended: Deferred.await(ended) }));
      yield* settle;
      yield* Deferred.succeed(ended, undefined);
      assert.strictEqual((yield* Fiber.join(stopped)).id, null);
      const refused = yield* Effect.forkChild(Effect.flip(wait({}, { isAllowed: Effect.fail("ended" as const) })));
      yield* settle;
      yield* arrive();
      assert.strictEqual(yield* Fiber.join(refused), "ended");
    }),
  );

  it("misses and repeats no message after the position of the previous answer [S5.6-4]", async () => {
    const arrivals = fc.array(fc.boolean(), { maxLength: 130 });
    await fc.assert(
      fc.asyncProperty(arrivals, arrivals, (before, after) => {
        const { arrive, wait } = mailbox();
        const answers = Effect.gen(function* () {
          const expected: Array<string> = [];
          const found: Array<string> = [];
          const receive = Effect.fnUntraced(function* (all: ReadonlyArray<boolean>) {
            for (const isWanted of all) {
              const id = yield* arrive({ subject: isWanted ? "wanted" : "other" });
              if (isWanted) expected.push(id);
            }
          });
          yield* receive(before);
          for (let next = "e1.0", isDone = false; ;) {
            const waiting = yield* Effect.forkChild(wait({ subject: "wanted", after: next, timeout: 1 }));
            yield* settle;
            if (!isDone) yield* receive(after);
            isDone = true;
            yield* TestClock.adjust("1 second");
            const answer = yield* Fiber.join(waiting);
            next = answer.next;
            if (answer.id === null) break;
            found.push(answer.id);
          }
          expect(found).toEqual(expected);
        });
        return Effect.runPromise(Effect.provide(answers, TestClock.layer()));
      }),
      { numRuns: 10 },
    );
  });
});
