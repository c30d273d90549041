import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import { assert, it } from "@effect/vitest";
import { describeWithDovecot } from "@postern/testkit";
import { Effect } from "effect";
import { converseUnderFaults } from "./wire-faults.ts";

const CONVERSATIONS = Number(process.env["CONVERSATIONS"] ?? 10_000);
const SEED = Number(process.env["SEED"] ?? 23);
const TIMEOUT = 1_500;

/** The slowest operation waits for a sign-in on a slow line and for commands on another connection; in served time. */
const SLOWEST = 8 * TIMEOUT;

/** Milliseconds in which a fault may keep the process from all other work. */
const LONGEST_TURN = 1_000;

/** The number of concurrent accounts; more would overload the machine. */
const ACCOUNTS = 16;

/** The time limit for a busy machine. */
const HOURS = 3;

const MIB = 2 ** 20;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describeWithDovecot("faults on the wire", () => {
  it.live(
    `end ${CONVERSATIONS} conversations in time, in bounded memory, and without a lasting effect`,
    () =>
      Effect.gen(function* () {
        const unhandled: Array<unknown> = [];
        const note = (reason: unknown) => void unhandled.push(reason);
        process.on("unhandledRejection", note);
        yield* Effect.addFinalizer(() => Effect.sync(() => process.off("unhandledRejection", note)));
        yield* converseUnderFaults({ conversations: 200, seed: SEED, accounts: 8, timeout: TIMEOUT });
        collectGarbage();
        const before = process.memoryUsage();
        let peak = 0;
        const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 100);
        const results = yield* converseUnderFaults({
          conversations: CONVERSATIONS,
          seed: SEED,
          accounts: ACCOUNTS,
          timeout: TIMEOUT,
        });
        clearInterval(sampling);
        yield* Effect.sleep(2 * TIMEOUT);
        collectGarbage();
        const grown = (process.memoryUsage().heapUsed - before.heapUsed) / MIB;
        const { wrong, ...figures } = results;
        const { faults, slowest, slowestRecovery, longestTurn } = figures;
        console.log({ ...figures, heapGrown: grown, rssGrown: (peak - before.rss) / MIB });
        assert.deepStrictEqual(wrong, []);
        assert.deepStrictEqual(unhandled, []);
        assert.isAtLeast(
          [...faults.values()].reduce((sum, some) => sum + some),
          CONVERSATIONS * 0.8,
        );
        assert.isAtMost(slowest.millis, SLOWEST, slowest.conversation);
        assert.isAtMost(slowestRecovery.millis, SLOWEST, slowestRecovery.conversation);
        assert.isAtMost(longestTurn, LONGEST_TURN);
        assert.isAtMost(grown, 20);
        assert.isAtMost((peak - before.rss) / MIB, 400);
      }).pipe(Effect.scoped),
    HOURS * 3_600_000,
  );
});
