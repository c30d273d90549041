import { assert, layer } from "@effect/vitest";
import { HostConnections } from "@postern/core/accounts";
import { Effect, type Layer, Option } from "effect";

const LIMIT = { connections: 3, windowMillis: 10_000 };

let hosts = 0;
const newHost = () => `host${++hosts}.test`;

/** Reserves a turn within `within` milliseconds. Returns the wait in milliseconds, null without a turn. */
const wait = (host: string, now: number, within: number, limit = LIMIT) =>
  Effect.flatMap(HostConnections, ({ reserve }) =>
    Effect.map(reserve(host, limit, now, now + within), (turn) => Option.getOrNull(Option.map(turn, (at) => at - now))),
  );

/** The contract of `HostConnections`. */
export const hostConnectionsContract = (name: string, live: Layer.Layer<HostConnections, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("grants as many turns at once as the limit has, and the next when the first leaves the window", () =>
      Effect.gen(function* () {
        const host = newHost();
        for (let n = 0; n < 3; n++) assert.strictEqual(yield* wait(host, 1_000_000, 0), 0);
        assert.isNull(yield* wait(host, 1_000_000, 9_999));
        assert.strictEqual(yield* wait(host, 1_004_000, 6_000), 6_000);
        assert.strictEqual(yield* wait(host, 1_004_000, 60_000), 6_000);
        assert.strictEqual(yield* wait(newHost(), 1_004_000, 0), 0, "another host");
      }),
    );

    it.effect("reserves nothing if it grants no turn", () =>
      Effect.gen(function* () {
        const host = newHost();
        for (let n = 0; n < 3; n++) yield* wait(host, 1_000_000, 0);
        for (let n = 0; n < 50; n++) assert.isNull(yield* wait(host, 1_000_001, 100));
        assert.strictEqual(yield* wait(host, 1_010_000, 0), 0);
      }),
    );

    it.effect("queues turns in the order of the requests", () =>
      Effect.gen(function* () {
        const host = newHost();
        const waits = yield* Effect.forEach(Array.from({ length: 8 }), () => wait(host, 1_000_000, 60_000));
        assert.deepStrictEqual(waits, [0, 0, 0, 10_000, 10_000, 10_000, 20_000, 20_000]);
      }),
    );

    it.effect("keeps a share of the limit free if a caller asks with a lower one", () =>
      Effect.gen(function* () {
        const host = newHost();
        const lower = { ...LIMIT, connections: 2 };
        assert.deepStrictEqual(
          [yield* wait(host, 1_000_000, 0, lower), yield* wait(host, 1_000_000, 0, lower)],
          [0, 0],
        );
        assert.isNull(yield* wait(host, 1_000_000, 0, lower));
        assert.strictEqual(yield* wait(host, 1_000_000, 0), 0);
      }),
    );

    it.effect("never grants more than the limit in any window, to callers at once [S10.3-40]", () =>
      Effect.gen(function* () {
        const host = newHost();
        const asks = Array.from({ length: 40 }, (_, n) => 1_000_000 + (n % 7) * 333);
        const turns = yield* Effect.forEach(
          asks,
          (now) => Effect.map(wait(host, now, 600_000), (waited) => now + (waited ?? 0)),
          { concurrency: "unbounded" },
        );
        for (const from of turns) {
          const inside = turns.filter((at) => at >= from && at < from + LIMIT.windowMillis);
          assert.isAtMost(inside.length, LIMIT.connections);
        }
      }),
    );

    it.effect("removes old turns, and keeps the limit for the others", () =>
      Effect.gen(function* () {
        const { removeOld } = yield* HostConnections;
        const host = newHost();
        for (let n = 0; n < 3; n++) yield* wait(host, 5_000_000, 0);
        yield* removeOld(5_000_000);
        assert.isNull(yield* wait(host, 5_000_001, 0));
        yield* removeOld(5_000_001);
        assert.strictEqual(yield* wait(host, 5_000_001, 0), 0);
      }),
    );
  });
