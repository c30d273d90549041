import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { EventPublisher, type MailEvent } from "../../src/events/index.ts";
import { OpenTracker, type TrackedMessage, TrackedMessages } from "../../src/send/index.ts";
import { classifyOpen, countOpen } from "../../src/send/opens/opens.ts";
import { Transaction, yieldToOthers } from "../../src/shared/index.ts";
import { numberedIds, readableIds } from "../doubles.ts";
import { ME } from "../messages/mailbox-in-memory.ts";

const NOW = 1_900_000_000_000;

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
const told = ({ type, body }: MailEvent) => ({ type, data: JSON.parse(new TextDecoder().decode(body)).data });

/** The tracked messages `a`, `b` and `c`, and what is written about them. */
const tracking = Effect.gen(function* () {
  yield* TestClock.setTime(NOW);
  const messages = new Map<string, TrackedMessage>(
    ["a", "b", "c"].map((id) => [
      id,
      { id, account: ME, messageId: `<out_${id}@x.test>`, recipient: "r@y.test", opens: {}, events: 0 },
    ]),
  );
  const looked: Array<string> = [];
  const events: Array<{ readonly type: string; readonly data: unknown }> = [];
  /** How long a transaction takes. */
  const time = { of: 0, count: 0 };
  const context = yield* Layer.build(
    OpenTracker.layer.pipe(
      Layer.provide([
        Layer.mock(TrackedMessages, {
          find: (id) => Effect.sync(() => (looked.push(id), Option.fromUndefinedOr(messages.get(id)))),
          update: (message) => Effect.sync(() => void messages.set(message.id, message)),
        }),
        Layer.mock(EventPublisher, { publish: (all) => Effect.sync(() => (events.push(...all.map(told)), [])) }),
        Layer.succeed(Transaction, {
          run: (effect) => Effect.suspend(() => (time.count++, Effect.delay(effect, time.of))),
        }),
        numberedIds,
        readableIds,
      ]),
    ),
  );
  /** Records hits at once, and waits until they are written. */
  const hit = (ids: ReadonlyArray<string>, userAgent = "Mozilla/5.0 (X11)", purpose = "") =>
    Effect.gen(function* () {
      const tracker = yield* OpenTracker;
      for (const id of ids) yield* tracker.recordHit(id, userAgent, purpose);
      yield* Effect.repeat(yieldToOthers, { times: 20 });
    }).pipe(Effect.provideContext(context));
  return { messages, looked, events, hit, time };
});

describe("the classification of an opening", () => {
  it.effect.each([
    ["Mozilla/5.0", "", "prefetch"],
    [" Mozilla/5.0 ", "", "prefetch"],
    ["Mozilla/5.0 (X11)", "", "human"],
    ["Mozilla/5.0 (X11)", "preview", "prefetch"],
    ["x GoogleImageProxy", "", "proxy"],
    ["ProtonMail bot", "", "proxy"],
    ["", "", "scanner"],
    [" ", "", "scanner"],
    ["curl/8", "", "scanner"],
    ["Some Bot", "", "scanner"],
    ["Bottle", "", "human"],
  ] as const)("of %j for the purpose %j is %s", ([userAgent, purpose, expected]) =>
    Effect.sync(() => expect(classifyOpen(userAgent, purpose)).toBe(expected)),
  );
});

describe("an opening", () => {
  const counted = { count: 3, lastEventAt: NOW };
  const message = {
    id: "a",
    account: ME,
    messageId: "<a@x.test>",
    recipient: null,
    opens: { human: counted },
    events: 49,
  };

  it.effect("is reported again after a minute, and 50 times in all", () =>
    Effect.sync(() => {
      expect(countOpen(message, "human", NOW + 59_999)).toEqual({
        message: { ...message, opens: { human: { count: 4, lastEventAt: NOW } } },
        isReported: false,
      });
      const last = countOpen(message, "human", NOW + 60_000);
      const opens = { human: { count: 4, lastEventAt: NOW + 60_000 } };
      expect(last).toEqual({ message: { ...message, opens, events: 50 }, isReported: true });
      expect(countOpen(last.message, "proxy", NOW + 60_001)).toEqual({
        message: { ...last.message, opens: { ...opens, proxy: { count: 1, lastEventAt: NOW + 60_001 } } },
        isReported: false,
      });
    }),
  );
});

describe("the openings of tracked messages", () => {
  it.effect("are counted and reported, once a minute for each class [S7.8-1]", () =>
    Effect.gen(function* () {
      const { messages, events, hit } = yield* tracking;
      yield* hit(["a", "a", "none"]);
      expect(messages.get("a")).toMatchObject({ opens: { human: { count: 2, lastEventAt: NOW } }, events: 1 });
      expect(events).toMatchObject([
        {
          type: "email.opened",
          data: {
            outboxId: "out_a",
            messageId: "<out_a@x.test>",
            recipient: "r@y.test",
            count: 1,
            first: true,
            classification: "human",
            userAgent: "Mozilla/5.0 (X11)",
            openedAt: "2030-03-17T17:46:40.000Z",
          },
        },
      ]);
      yield* hit(["a"], "GoogleImageProxy");
      yield* hit(["a"], "Mozilla/5.0 (X11)", "prefetch");
      yield* TestClock.setTime(NOW + 60_000);
      yield* hit(["a"]);
      expect(events.map(({ data }) => data)).toMatchObject([
        { count: 1 },
        { count: 3, first: false, classification: "proxy" },
        { count: 4, first: false, classification: "prefetch" },
        { count: 5, first: false, classification: "human", openedAt: "2030-03-17T17:47:40.000Z" },
      ]);
    }).pipe(Effect.scoped),
  );

  it.effect("are written in the order of the ids, so that two processes wait for each other's rows in one order", () =>
    Effect.gen(function* () {
      const { looked, hit, time } = yield* tracking;
      yield* hit(["c", "a", "b", "a"]);
      expect(looked).toEqual(["a", "a", "b", "c"]);
      expect(time.count).toBe(1);
    }).pipe(Effect.scoped),
  );

  it.effect("are written 100 at once, and dropped while 1000 wait", () =>
    Effect.gen(function* () {
      const { looked, hit, time } = yield* tracking;
      time.of = 1_000;
      yield* hit(["none"]);
      yield* hit(Array.from({ length: 1_001 }, () => "none"));
      expect([looked.length, time.count]).toEqual([0, 1]);
      yield* TestClock.adjust(2_000);
      expect([looked.length, time.count]).toEqual([101, 3]);
      yield* TestClock.adjust(20_000);
      expect([looked.length, time.count]).toEqual([1_001, 11]);
    }).pipe(Effect.scoped),
  );
});
