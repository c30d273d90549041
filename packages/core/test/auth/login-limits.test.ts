import { assert, describe, it } from "@effect/vitest";
import { Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import {
  LoginAttempts,
  type LoginHistory,
  LoginRefused,
  type LoginVerdict,
  PasswordRefused,
} from "../../src/auth/index.ts";
import { LoginThrottle } from "../../src/auth/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";
import { counted, numberedIds, ownMetrics, readableHashes } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ME = AccountId("me@postern.test");
const HOME = "192.0.2.1";
const PASSWORD = { _tag: "Password", username: ME, password: Redacted.make("secret") } as const;
const NOTHING: LoginHistory = { attempts: [], lastSuccessAt: null };

/** An attempt with the same password, which the mail server refused this long ago. */
const refusedBefore = (ago: number): LoginHistory => ({
  attempts: [
    { id: "1", account: ME, network: HOME, passwordMark: "mark of secret", at: NOW - ago, outcome: "refused" },
  ],
  lastSuccessAt: null,
});

/** Five pending attempts of other processes, until a time. */
const pendingUntil =
  (until: number) =>
  (now: number): LoginHistory => ({
    attempts: Array.from({ length: now < until ? 5 : 0 }, (_, n) => ({
      id: String(n),
      account: ME,
      network: HOME,
      passwordMark: String(n),
      at: now - 1,
      outcome: "pending",
    })),
    lastSuccessAt: null,
  });

/** A throttle with these earlier attempts. Records its writes, and when each attempt was decided. */
const world = (historyAt: (now: number) => LoginHistory = () => NOTHING) => {
  const recorded: Array<string> = [];
  const decidedAt: Array<number> = [];
  const layer = LoginThrottle.layer.pipe(
    Layer.provide([
      Layer.succeed(LoginAttempts, {
        judge: (attempt, verdictOf) =>
          Effect.sync((): LoginVerdict => {
            decidedAt.push(attempt.at);
            return verdictOf(historyAt(attempt.at));
          }),
        recordRefusal: (id, why) => Effect.sync(() => void recorded.push(`${id.slice(0, 3)} refused: ${why}`)),
        withdraw: (id) => Effect.sync(() => void recorded.push(`${id.slice(0, 3)} withdrawn`)),
        recordAcceptance: ({ id, network }, now) =>
          Effect.sync(() => void recorded.push(`${id.slice(0, 3)} from ${network} at ${now}`)),
        erase: () => Effect.void,
        removeOld: (...before) => Effect.sync(() => void recorded.push(`swept ${before.join(" ")}`)),
      }),
      readableHashes,
      numberedIds,
    ]),
  );
  return {
    recorded,
    decidedAt,
    run: <A, E>(body: (throttle: LoginThrottle["Service"]) => Effect.Effect<A, E>) =>
      Effect.andThen(TestClock.setTime(NOW), Effect.provide(Effect.flatMap(LoginThrottle, body), layer)),
  };
};

describe("an attempt to sign in", () => {
  it.effect.each([
    ["that the server accepts is remembered with its network", Effect.succeed("in"), `id1 from ${HOME} at ${NOW}`],
    ["that it refuses counts [S3.6-1]", new LoginRefused(), "id1 refused: wrong password"],
    ["that it refuses without a reason counts [S3.6-5]", new LoginRefused({ isUnclear: true }), "id1 refused: unclear"],
    [
      "that it refuses for a reason it names counts not",
      new PasswordRefused({ reason: "oauth_required" }),
      "id1 withdrawn",
    ],
    ["that ends with a defect counts not", Effect.die("bug"), "id1 withdrawn"],
  ] as const)("%s", ([, ask, expected]) =>
    Effect.gen(function* () {
      const { run, recorded } = world();
      yield* run(({ limit }) => Effect.exit(limit(ME, PASSWORD, HOME, ask as Effect.Effect<string, LoginRefused>)));
      assert.deepStrictEqual(recorded, [expected]);
      const isRefused = ask instanceof LoginRefused || ask instanceof PasswordRefused;
      assert.strictEqual(yield* counted("sign_ins_refused_total"), isRefused ? 1 : 0);
    }).pipe(ownMetrics),
  );

  it.effect("is counted as refused if too many failed before it", () =>
    Effect.gen(function* () {
      const failed = (n: number) => ({
        ...refusedBefore(MINUTE).attempts[0]!,
        id: String(n),
        passwordMark: `mark of ${n}`,
      });
      const { run } = world(() => ({ attempts: [1, 2, 3, 4, 5].map(failed), lastSuccessAt: null }));
      const refusal = yield* run(({ limit }) => Effect.flip(limit(ME, PASSWORD, HOME, Effect.succeed("asked"))));
      assert.strictEqual(refusal._tag, "TooManyLoginFailures");
      assert.strictEqual(yield* counted("sign_ins_refused_total"), 1);
    }).pipe(ownMetrics),
  );

  it.effect("with a password that was refused minutes ago does not reach the server [S3.6-4]", () =>
    Effect.gen(function* () {
      for (const [ago, isAsked] of [
        [14 * MINUTE, false],
        [15 * MINUTE, true],
      ] as const) {
        let asked = false;
        const { run } = world(() => refusedBefore(ago));
        const exit = yield* run(({ limit }) =>
          Effect.exit(
            limit(
              ME,
              PASSWORD,
              HOME,
              Effect.sync(() => (asked = true)),
            ),
          ),
        );
        assert.deepStrictEqual([asked, Exit.isSuccess(exit)], [isAsked, isAsked]);
      }
    }),
  );

  it.effect("above the limit is refused with the time to wait [S3.6-2]", () =>
    Effect.gen(function* () {
      const five = Array.from({ length: 5 }, (_, n) => refusedBefore(MINUTE + n).attempts[0]!);
      const { run, recorded } = world(() => ({ attempts: five, lastSuccessAt: null }));
      const refusal = yield* run(({ limit }) => Effect.flip(limit(ME, PASSWORD, HOME, Effect.void)));
      assert.deepStrictEqual(
        [refusal._tag, "retryAfter" in refusal && refusal.retryAfter],
        ["TooManyLoginFailures", 14 * MINUTE - 4],
      );
      assert.deepStrictEqual(recorded, []);
    }),
  );
});

describe("an attempt beside pending ones of other processes", () => {
  it.effect("is decided again ten times a second, with the current time", () =>
    Effect.gen(function* () {
      const { run, decidedAt, recorded } = world(pendingUntil(NOW + 250));
      yield* run(({ limit }) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(limit(ME, PASSWORD, HOME, Effect.void));
          yield* TestClock.adjust("1 second");
          yield* Fiber.join(fiber);
        }),
      );
      assert.deepStrictEqual(decidedAt, [NOW, NOW + 100, NOW + 200, NOW + 300]);
      assert.deepStrictEqual(recorded, [`id1 from ${HOME} at ${NOW + 300}`]);
    }),
  );

  it.effect("waits fifteen seconds for them, and is then told to retry at once", () =>
    Effect.gen(function* () {
      const { run, decidedAt } = world(pendingUntil(Infinity));
      const refusal = yield* run(({ limit }) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(Effect.flip(limit(ME, PASSWORD, HOME, Effect.void)));
          yield* TestClock.adjust("1 minute");
          return yield* Fiber.join(fiber);
        }),
      );
      assert.deepStrictEqual(
        [refusal._tag, "retryAfter" in refusal && refusal.retryAfter],
        ["TooManyLoginFailures", 100],
      );
      assert.strictEqual(decidedAt.at(-1), NOW + 15_000);
    }),
  );
});

it.effect("makes at most four concurrent attempts for one account", () =>
  Effect.gen(function* () {
    const { run } = world();
    let [asking, most] = [0, 0];
    yield* run(({ limit }) =>
      Effect.gen(function* () {
        const answer = yield* Deferred.make<void>();
        const ask = Effect.suspend(() => {
          most = Math.max(most, ++asking);
          return Effect.ensuring(
            Deferred.await(answer),
            Effect.sync(() => asking--),
          );
        });
        const fibers = yield* Effect.forEach(Array.from({ length: 9 }), () =>
          Effect.forkChild(limit(ME, PASSWORD, HOME, ask)),
        );
        yield* TestClock.adjust("1 second");
        yield* Deferred.succeed(answer, undefined);
        yield* Effect.forEach(fibers, Fiber.join);
      }),
    );
    assert.strictEqual(most, 4);
  }),
);

it.effect("forgets attempts after a day and known networks after 30 days", () =>
  Effect.gen(function* () {
    const { run, recorded } = world();
    yield* run(({ sweep }) => sweep);
    assert.deepStrictEqual(recorded, [`swept ${NOW - DAY} ${NOW - 30 * DAY}`]);
  }),
);
