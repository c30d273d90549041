import { it } from "@effect/vitest";
import { Effect, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AccountDirectory } from "../../src/accounts/index.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { type EncodedBody, MessageParser, MessageReader, Previews } from "../../src/messages/index.ts";
import { AccountId, yieldToOthers } from "../../src/shared/index.ts";
import { summaryWith } from "./summary.ts";

const ME = AccountId("me@x.test");

const entry = (uid: number, path = "A", uidValidity = 1) => ({
  id: `${path} ${uid}`,
  path,
  uidValidity,
  message: summaryWith({ uid }),
});

/** Messages whose texts are these by kind and id; null for a message without text, undefined for one that is gone. */
const world = (texts: Readonly<Record<"plain" | "html", Readonly<Record<string, string | null>>>>) => {
  const state = { log: Array<unknown>(), fetchTime: 0, parseTime: 0, isDown: false };
  const layer = Previews.layer.pipe(
    Layer.provide([
      Layer.mock(AccountDirectory, { find: () => Effect.succeedNone }),
      Layer.mock(MessageReader, {
        readPreviewTexts: (_, asked, kind) =>
          Effect.suspend(() => {
            state.log.push([
              kind,
              ...asked.map(({ path, uidValidity, uids }) => `${path} ${uidValidity} ${uids.join()}`),
            ]);
            if (state.isDown) {
              return new MailServerError({ reason: "timeout", operation: "fetch", detail: "" });
            }
            const found = asked.map(
              ({ path, uids }) =>
                new Map(
                  uids.flatMap((uid) => {
                    const text = texts[kind][`${path} ${uid}`];
                    return text === undefined ? [] : [[uid, text as unknown as EncodedBody | null] as const];
                  }),
                ),
            );
            return Effect.delay(Effect.succeed(found), state.fetchTime);
          }),
      }),
      Layer.mock(MessageParser, {
        previews: (_, bodies) =>
          Effect.delay(Effect.succeed(bodies as unknown as ReadonlyArray<string>), state.parseTime),
      }),
    ]),
  );
  return Effect.map(Layer.build(layer), (context) => ({
    state,
    of: (entries: Parameters<Previews["Service"]["of"]>[1], account = ME) =>
      Effect.provideContext(
        Effect.flatMap(Previews, (previews) => previews.of(account, entries)),
        context,
      ),
  }));
};

describe("the previews of listed messages", () => {
  it.effect("are fetched from all mailboxes together, and kept", () =>
    Effect.gen(function* () {
      const plain = { "A 1": "one", "A 2": null, "B 1": "two" };
      const { of, state } = yield* world({ plain, html: {} });
      const entries = [entry(1), entry(2), entry(3), entry(1, "B", 4)];
      const previews = new Map([
        ["A 1", "one"],
        ["A 2", null],
        ["B 1", "two"],
      ]);
      expect(yield* of(entries)).toEqual(previews);
      expect(state.log).toEqual([
        ["plain", "A 1 1,2,3", "B 4 1"],
        ["html", "A 1 2"],
      ]);
      state.log = [];
      expect(yield* of(entries.slice(0, 2))).toEqual(new Map([...previews].slice(0, 2)));
      expect(state.log).toEqual([]);
      // A message that was gone is asked for again.
      yield* of(entries);
      expect(state.log).toEqual([["plain", "A 1 3"]]);
    }).pipe(Effect.scoped),
  );

  it.effect("are made of the HTML of a message whose plain text says nothing", () =>
    Effect.gen(function* () {
      const { of } = yield* world({
        plain: { "A 1": null, "A 2": "", "A 3": "text" },
        html: { "A 1": "rich", "A 3": "no" },
      });
      expect(yield* of([entry(1), entry(2), entry(3)])).toEqual(
        new Map([
          ["A 1", "rich"],
          ["A 2", null],
          ["A 3", "text"],
        ]),
      );
    }).pipe(Effect.scoped),
  );

  it.effect("are missing if the texts take longer than 300 ms, and there at a later call [S12.3-10]", () =>
    Effect.gen(function* () {
      const { of, state } = yield* world({ plain: { "A 1": "one" }, html: {} });
      for (const [fetchTime, size] of [
        [301, 0],
        [299, 1],
      ] as const) {
        state.fetchTime = fetchTime;
        const account = AccountId(`${fetchTime}@x.test`);
        const asking = yield* Effect.forkChild(of([entry(1)], account));
        yield* Effect.repeat(yieldToOthers, { times: 20 });
        yield* TestClock.adjust(300);
        expect((yield* Fiber.join(asking)).size).toBe(size);
        yield* TestClock.adjust(1);
        yield* Effect.repeat(yieldToOthers, { times: 20 });
        expect((yield* of([entry(1)], account)).size).toBe(1);
      }
      expect(state.log).toHaveLength(2);
    }).pipe(Effect.scoped),
  );

  it.effect("are missing if reading the texts takes longer than a second [S12.3-10]", () =>
    Effect.gen(function* () {
      const { of, state } = yield* world({ plain: { "A 1": "one" }, html: {} });
      for (const [parseTime, size] of [
        [1_001, 0],
        [999, 1],
      ] as const) {
        state.parseTime = parseTime;
        const asking = yield* Effect.forkChild(of([entry(1)], AccountId(`${parseTime}@x.test`)));
        yield* Effect.repeat(yieldToOthers, { times: 20 });
        yield* TestClock.adjust(1_000);
        expect((yield* Fiber.join(asking)).size).toBe(size);
      }
    }).pipe(Effect.scoped),
  );

  it.effect("that another call is fetching are waited for, and not fetched twice", () =>
    Effect.gen(function* () {
      const { of, state } = yield* world({ plain: { "A 1": "one", "A 2": "two" }, html: {} });
      state.fetchTime = 100;
      const first = yield* Effect.forkChild(of([entry(1)]));
      yield* Effect.repeat(yieldToOthers, { times: 20 });
      const second = yield* Effect.forkChild(of([entry(1), entry(2)]));
      yield* Effect.repeat(yieldToOthers, { times: 20 });
      yield* TestClock.adjust(100);
      expect([(yield* Fiber.join(first)).size, (yield* Fiber.join(second)).size]).toEqual([1, 2]);
      expect(state.log).toEqual([
        ["plain", "A 1 1"],
        ["plain", "A 1 2"],
      ]);
    }).pipe(Effect.scoped),
  );

  it.effect("are asked for again after a failure", () =>
    Effect.gen(function* () {
      const { of, state } = yield* world({ plain: { "A 1": "one" }, html: {} });
      state.isDown = true;
      expect(yield* of([entry(1)])).toEqual(new Map());
      state.isDown = false;
      expect(yield* of([entry(1)])).toEqual(new Map([["A 1", "one"]]));
    }).pipe(Effect.scoped),
  );

  it.effect("are kept for the last 500 messages of an account, and for 100 accounts [S12.3-4]", () =>
    Effect.gen(function* () {
      const uids = Array.from({ length: 501 }, (_, n) => n + 1);
      const { of, state } = yield* world({ plain: Object.fromEntries(uids.map((uid) => [`A ${uid}`, "x"])), html: {} });
      expect((yield* of(uids.map((uid) => entry(uid)))).size).toBe(501);
      state.log = [];
      yield* of([entry(2), entry(501)]);
      expect(state.log).toEqual([]);
      yield* of([entry(1)]);
      expect(state.log).toEqual([["plain", "A 1 1"]]);
      for (let n = 1; n < 100; n++) yield* of([entry(1)], AccountId(`a${n}@x.test`));
      state.log = [];
      yield* of([entry(501)]);
      expect(state.log).toEqual([]);
      yield* of([entry(1)], AccountId("a100@x.test"));
      state.log = [];
      yield* of([entry(501)]);
      expect(state.log).toEqual([]);
      yield* of([entry(1)], AccountId("a1@x.test"));
      expect(state.log).toEqual([["plain", "A 1 1"]]);
    }).pipe(Effect.scoped),
  );
});
