import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Logger } from "effect";
import { TestClock } from "effect/testing";
import fc from "fast-check";
import { expect } from "vitest";
import { type AttemptOutcome, OutgoingJournal, type OutgoingMessage } from "../../src/send/index.ts";
import { ServerOutages } from "../../src/send/outgoing/ServerOutages.ts";
import { StoreUnavailable } from "../../src/shared/index.ts";
import { outgoing, reply } from "../outgoing.ts";

const PROBE_MILLIS = 30_000;
const serverOf = (n: number) => `smtp${n}.x.test:465`;
const down = (server: string): AttemptOutcome => ({ _tag: "NotSent", reason: "timeout", detail: "slow", server });
const up = (server: string): AttemptOutcome => ({ _tag: "Answered", reply: reply(250), server });

/** A journal with this number of messages that wait for any server. Records the queried servers and each batch. */
const world = (waiting = 0) => {
  const woken: Array<string> = [];
  const batches: Array<number> = [];
  const state = { isStoreDown: false, sample: null as OutgoingMessage | null };
  const journal = Layer.mock(OutgoingJournal, {
    changeWaiting: ({ server }, change, limit = Infinity) =>
      Effect.suspend(() => {
        woken.push(server!);
        if (state.isStoreDown) return Effect.fail(new StoreUnavailable({ detail: "down" }));
        const count = Math.min(limit, waiting);
        batches.push(count);
        waiting -= count;
        const message: OutgoingMessage = { ...outgoing(), waitsFor: server!, attemptAt: 90_000 };
        const changed = Array.from({ length: count }, () => change(message));
        state.sample = changed[0] ?? state.sample;
        return Effect.succeed(changed);
      }),
  });
  const run = <A>(use: (outages: ServerOutages["Service"]) => Effect.Effect<A>) =>
    Effect.provide(Effect.flatMap(ServerOutages, use), Layer.provide(ServerOutages.layer, journal));
  return { woken, batches, state, run };
};

interface Step {
  /** Milliseconds since the step before. */
  readonly after: number;
  readonly server: string;
  readonly what: "fails" | "answers" | "answers a probe";
  readonly isStoreDown: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    after: fc.oneof(fc.constantFrom(0, 1, PROBE_MILLIS - 1, PROBE_MILLIS), fc.nat(20_000)),
    server: fc.constantFrom(serverOf(1), serverOf(2)),
    what: fc.constantFrom("fails", "answers", "answers", "answers a probe"),
    isStoreDown: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 25 },
);

describe("the messages that wait for a server", () => {
  it.effect("are woken in batches of 500, due at once", () =>
    Effect.gen(function* () {
      for (const [waiting, expected] of [
        [499, [499]],
        [1_234, [500, 500, 234]],
        [1_000, [500, 500, 0]],
      ] as const) {
        const { run, batches, state } = world(waiting);
        yield* run(({ observe }) =>
          Effect.andThen(observe(outgoing(), down(serverOf(1))), observe(outgoing(), up(serverOf(1)))),
        );
        assert.deepStrictEqual(batches, [...expected]);
        assert.deepStrictEqual([state.sample?.attemptAt, state.sample?.waitsFor], [0, undefined]);
      }
    }),
  );

  it("are woken at its first answer after it failed or was probed, every 30 seconds at most", async () => {
    await fc.assert(
      fc.asyncProperty(steps, (taken) => {
        const { woken, state, run } = world();
        const observeAll = run(({ observe }) =>
          Effect.gen(function* () {
            const isOwed = new Set<string>();
            const lastAt = new Map<string, number>();
            let now = 0;
            for (const { after, server, what, isStoreDown } of taken) {
              yield* TestClock.setTime((now += after));
              state.isStoreDown = isStoreDown;
              const attempted = what === "answers a probe" ? { ...outgoing(), waitsFor: server } : outgoing();
              yield* observe(attempted, what === "fails" ? down(server) : up(server));
              if (what !== "answers") isOwed.add(server);
              const isDue = isOwed.has(server) && now - (lastAt.get(server) ?? -Infinity) >= PROBE_MILLIS;
              const isWoken = what !== "fails" && isDue;
              expect(woken.splice(0)).toEqual(isWoken ? [server] : []);
              if (!isWoken) continue;
              lastAt.set(server, now);
              if (!isStoreDown) isOwed.delete(server);
            }
          }),
        );
        return Effect.runPromise(Effect.provide(observeAll, [TestClock.layer(), Logger.layer([])]));
      }),
      { numRuns: 200 },
    );
  });

  it.effect("are woken only by their probes after a thousand other servers have failed", () =>
    Effect.gen(function* () {
      const wokenAfter = (others: number) => {
        const { run, woken } = world();
        return Effect.as(
          run(({ observe }) =>
            Effect.gen(function* () {
              const failing = (n: number) => observe(outgoing(), down(serverOf(n)));
              // The server that failed before all others fails again, so that it is not the oldest.
              yield* failing(0);
              yield* failing(-1);
              yield* failing(0);
              for (let n = 1; n <= others; n++) yield* failing(n);
              yield* observe(outgoing(), up(serverOf(0)));
            }),
          ),
          woken,
        );
      };
      assert.deepStrictEqual(yield* wokenAfter(999), [serverOf(0)]);
      assert.deepStrictEqual(yield* wokenAfter(1_000), []);
    }),
  );
});
