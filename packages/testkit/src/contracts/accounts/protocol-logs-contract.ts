import { assert, layer } from "@effect/vitest";
import { LOG_BOUNDS, ProtocolLogs } from "@postern/core/accounts";
import { AccountId } from "@postern/core/shared";
import { Effect, Fiber, type Layer, Option } from "effect";

let accounts = 0;
const newAccount = () => AccountId(`traced${++accounts}@example.test`);

const NOW = 1_700_000_000_000;

/** The contract of `ProtocolLogs`. */
export const protocolLogsContract = (name: string, live: Layer.Layer<ProtocolLogs, unknown>) =>
  layer(live)(name, (it) => {
    const runningAt = Effect.fnUntraced(function* (now: number, ...some: ReadonlyArray<AccountId>) {
      const all = yield* (yield* ProtocolLogs).listRunning(now);
      return all.filter(({ account }) => some.includes(account));
    });

    it.effect("names the accounts that are recorded, until their end", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const [one, other] = [newAccount(), newAccount()] as const;
        assert.isTrue(Option.isNone(yield* logs.find(one)));
        yield* logs.start(one, NOW + 100);
        yield* logs.start(other, NOW + 200);
        assert.deepStrictEqual(yield* runningAt(NOW, one, other), [
          { account: one, until: NOW + 100 },
          { account: other, until: NOW + 200 },
        ]);
        assert.deepStrictEqual(yield* runningAt(NOW + 100, one, other), [{ account: other, until: NOW + 200 }]);
        assert.deepStrictEqual(yield* logs.find(one), Option.some(NOW + 100), "ended, and still there");
      }),
    );

    it.effect("keeps the lines when a log is started again, with its new end [S10.5-2]", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const account = newAccount();
        yield* logs.start(account, NOW + 100);
        yield* logs.append(account, NOW, ["a", "b"]);
        yield* logs.start(account, NOW + 300);
        assert.deepStrictEqual(yield* logs.find(account), Option.some(NOW + 300));
        yield* logs.append(account, NOW + 1, ["c"]);
        assert.deepStrictEqual(yield* logs.lines(account), ["a", "b", "c"]);
      }),
    );

    it.effect("appends only to the account's log, and only if it exists", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const [one, other] = [newAccount(), newAccount()] as const;
        yield* logs.start(one, NOW + 100);
        yield* logs.append(other, NOW, ["lost"]);
        yield* logs.append(one, NOW, []);
        assert.deepStrictEqual(yield* logs.lines(one), []);
        yield* logs.start(other, NOW + 100);
        assert.deepStrictEqual(yield* logs.lines(other), []);
      }),
    );

    it.effect("keeps the newest lines within the bounds of bytes and of lines [S10.5-10]", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const account = newAccount();
        yield* logs.start(account, NOW + 1_000);
        const long = "ü".repeat(LOG_BOUNDS.bytes / 8);
        for (let n = 0; n < 6; n++) yield* logs.append(account, NOW + n, [`${n}`, long]);
        const kept = yield* logs.lines(account);
        assert.deepStrictEqual(
          kept.filter((line) => line !== long),
          ["3", "4", "5"],
        );
        const many = Array.from({ length: LOG_BOUNDS.lines - 2 }, () => "x");
        yield* logs.append(account, NOW + 10, many);
        assert.strictEqual((yield* logs.lines(account)).length, LOG_BOUNDS.lines, "with the newest batch before");
        yield* logs.append(account, NOW + 11, ["last"]);
        assert.deepStrictEqual(yield* logs.lines(account), [...many, "last"]);
      }),
    );

    it.effect("loses none of many concurrent appends", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const account = newAccount();
        yield* logs.start(account, NOW + 1_000);
        const lines = Array.from({ length: 8 }, (_, n) => `${n}`);
        yield* Effect.forEach(lines, (line) => logs.append(account, NOW, [line, line]), { concurrency: "unbounded" });
        const kept = yield* logs.lines(account);
        assert.deepStrictEqual(kept.toSorted(), lines.flatMap((line) => [line, line]).toSorted());
        assert.deepStrictEqual(
          kept.filter((_, n) => n % 2 === 0),
          kept.filter((_, n) => n % 2 === 1),
          "those of one append together",
        );
      }),
    );

    it.effect("erases the log with its lines, and says whether there was one", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const account = newAccount();
        yield* logs.start(account, NOW + 100);
        yield* logs.append(account, NOW, ["a"]);
        assert.isTrue(yield* logs.erase(account));
        assert.isFalse(yield* logs.erase(account));
        yield* logs.append(account, NOW, ["late"]);
        yield* logs.start(account, NOW + 100);
        assert.deepStrictEqual(yield* logs.lines(account), []);
      }),
    );

    it.effect("removes logs that ended before a moment, and no others [S10.5-11]", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const [ended, running] = [newAccount(), newAccount()] as const;
        for (const [account, until] of [
          [ended, 1_000],
          [running, 1_001],
        ] as const) {
          yield* logs.start(account, until);
          yield* logs.append(account, 900, ["a"]);
        }
        yield* logs.removeEnded(1_001);
        assert.isTrue(Option.isNone(yield* logs.find(ended)));
        assert.deepStrictEqual(yield* logs.lines(ended), []);
        assert.deepStrictEqual(yield* logs.lines(running), ["a"]);
      }),
    );

    it.effect("wakes when a log is started or erased", () =>
      Effect.gen(function* () {
        const logs = yield* ProtocolLogs;
        const account = newAccount();
        // Removes logs of earlier tests.
        yield* logs.start(account, NOW);
        yield* logs.changed;
        for (const change of [logs.start(account, NOW + 100), logs.erase(account)]) {
          const woken = yield* Effect.forkChild(logs.changed, { startImmediately: true });
          yield* change;
          yield* Fiber.join(woken);
        }
      }),
    );
  });
