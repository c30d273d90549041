import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { judgeLogin, type LoginAttempt, LoginAttempts, type LoginHistory, type LoginVerdict } from "@postern/core/auth";
import { Effect, type Layer } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const NOW = 1_900_000_000_000;
const DAY = 24 * 3600 * 1000;

const random = () => globalThis.crypto.randomUUID();

const newAttempt = (account: AccountId, network: string, at = NOW): LoginAttempt => ({
  id: random(),
  account,
  network,
  passwordMark: random(),
  at,
});

const ask = (): LoginVerdict => ({ _tag: "Ask" });
const refuse = (): LoginVerdict => ({ _tag: "Refuse" });

/** Returns the history by which an attempt is decided, without recording an attempt. */
const historyOf = Effect.fnUntraced(function* (account: AccountId, network: string, at = NOW) {
  const seen: Array<LoginHistory> = [];
  yield* (yield* LoginAttempts).judge(newAttempt(account, network, at), (history) => {
    seen.push(history);
    return { _tag: "Wait" };
  });
  const { attempts, lastSuccessAt } = seen.at(-1)!;
  return { attempts: attempts.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)), lastSuccessAt };
});

/** The contract of `LoginAttempts` (spec 3). */
export const loginAttemptsContract = (name: string, live: Layer.Layer<LoginAttempts, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("records an attempt by its verdict, and returns the verdict", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const [account, network] = [yield* freshAccount, random()];
        const pending = newAttempt(account, network, NOW);
        const refused = newAttempt(account, network, NOW + 1);
        assert.deepStrictEqual(yield* attempts.judge(pending, ask), { _tag: "Ask" });
        assert.deepStrictEqual(yield* attempts.judge(refused, refuse), { _tag: "Refuse" });
        const throttled = { _tag: "Throttle", retryAfter: 5 } as const;
        assert.deepStrictEqual(yield* attempts.judge(newAttempt(account, network), () => throttled), throttled);
        assert.deepStrictEqual(yield* historyOf(account, network), {
          attempts: [
            { ...pending, outcome: "pending" },
            { ...refused, outcome: "refused" },
          ],
          lastSuccessAt: null,
        });
      }),
    );

    it.effect("settles an attempt as counted or removed", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const [account, network] = [yield* freshAccount, random()];
        const [one, two, three] = [0, 1, 2].map((n) => newAttempt(account, network, NOW + n)) as [
          LoginAttempt,
          LoginAttempt,
          LoginAttempt,
        ];
        for (const attempt of [one, two, three]) yield* attempts.judge(attempt, ask);
        yield* attempts.recordRefusal(one.id, "wrong password");
        yield* attempts.withdraw(two.id);
        yield* attempts.recordAcceptance(three, NOW + 9);
        assert.deepStrictEqual(yield* historyOf(account, network), {
          attempts: [{ ...one, outcome: "refused" }],
          lastSuccessAt: NOW + 9,
        });
        yield* attempts.recordAcceptance(three, NOW + 10);
        assert.strictEqual((yield* historyOf(account, network)).lastSuccessAt, NOW + 10);
        assert.strictEqual((yield* historyOf(account, random())).lastSuccessAt, null);
      }),
    );

    it.effect("counts an attempt that was refused without a reason, and forgets its password", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const [account, network] = [yield* freshAccount, random()];
        const attempt = newAttempt(account, network, NOW);
        yield* attempts.judge(attempt, ask);
        yield* attempts.recordRefusal(attempt.id, "unclear");
        const counted = [{ ...attempt, passwordMark: "", outcome: "refused" }];
        assert.deepStrictEqual((yield* historyOf(account, network)).attempts, counted);
      }),
    );

    it.effect("returns the attempts of one day on the same account or from the same network, and no others", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const [account, other, network] = [yield* freshAccount, yield* freshAccount, random()];
        const mine = newAttempt(account, random(), NOW);
        const near = newAttempt(other, network, NOW + 1);
        for (const attempt of [mine, near, newAttempt(other, random()), newAttempt(account, network, NOW - DAY)]) {
          yield* attempts.judge(attempt, refuse);
        }
        const ids = (yield* historyOf(account, network)).attempts.map(({ id }) => id);
        assert.deepStrictEqual(ids, [mine.id, near.id]);
      }),
    );

    it.effect("judges concurrent attempts one after the other", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const [account, network] = [yield* freshAccount, random()];
        const onePlace = newAttempt(account, network);
        const verdicts = yield* Effect.all(
          [...Array.from({ length: 30 }, () => newAttempt(account, random())), onePlace].map((attempt) =>
            attempts.judge(attempt, (history) => judgeLogin(history, attempt)),
          ),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(verdicts.filter(({ _tag }) => _tag === "Ask").length, 10, "the budget of an account");
        assert.strictEqual(verdicts.filter(({ _tag }) => _tag === "Wait").length, 21);
      }),
    );

    it.effect("judges concurrent attempts from one network one after the other, for any accounts", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const network = random();
        const verdicts = yield* Effect.all(
          Array.from({ length: 60 }, () =>
            Effect.flatMap(freshAccount, (account) => {
              const attempt = newAttempt(account, network);
              return attempts.judge(attempt, (history) => judgeLogin(history, attempt));
            }),
          ),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(verdicts.filter(({ _tag }) => _tag === "Ask").length, 50);
      }),
    );

    it.effect("erases an account and no other", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const [mine, theirs, network] = [yield* freshAccount, yield* freshAccount, random()];
        for (const account of [mine, theirs]) {
          yield* attempts.judge(newAttempt(account, network), refuse);
          yield* attempts.recordAcceptance(newAttempt(account, network), NOW);
        }
        yield* attempts.erase(mine);
        assert.deepStrictEqual(
          (yield* historyOf(mine, network)).attempts.map(({ account }) => account),
          [theirs],
        );
        assert.strictEqual((yield* historyOf(mine, network)).lastSuccessAt, null);
        assert.strictEqual((yield* historyOf(theirs, network)).lastSuccessAt, NOW);
      }),
    );

    it.effect("removes records that are too old to count", () =>
      Effect.gen(function* () {
        const attempts = yield* LoginAttempts;
        const [account, network] = [yield* freshAccount, random()];
        const kept = newAttempt(account, network, 2_000);
        for (const attempt of [newAttempt(account, network, 1_999), kept]) yield* attempts.judge(attempt, refuse);
        yield* attempts.recordAcceptance(newAttempt(account, network), 3_000);
        yield* attempts.removeOld(2_000, 3_000);
        const { attempts: left, lastSuccessAt } = yield* historyOf(account, network, 2_001);
        assert.deepStrictEqual([left.map(({ id }) => id), lastSuccessAt], [[kept.id], 3_000]);
        yield* attempts.removeOld(2_001, 3_001);
        assert.deepStrictEqual(yield* historyOf(account, network, 2_001), { attempts: [], lastSuccessAt: null });
      }),
    );
  });
