import { Clock, Context, Duration, Effect, Exit, Layer, Metric, Option, RcMap, Schema, Semaphore } from "effect";
import { type AccountId, Entropy, type StoreUnavailable } from "../shared/index.ts";
import { LoginRefused, TooManyLoginFailures } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import {
  type LoginAttempt,
  LoginAttempts,
  type LoginHistory,
  type LoginVerdict,
  type RecordedAttempt,
} from "./ports/LoginAttempts.ts";
import type { PasswordCredential } from "./mail-credential.ts";

/** The maximum number of concurrent sign-ins per account in this process; lower than the number of failures allowed. */
const MAX_CONCURRENT = 4;
/** The interval and the maximum of the wait for pending attempts in other processes. */
const POLL_INTERVAL = Duration.millis(100);
const MAX_WAIT = Duration.seconds(15);

interface Tagged {
  readonly _tag: string;
}

const isLoginRefused = Schema.is(LoginRefused);
/** The errors of a refused sign-in: the mail server refused it, or there were too many failures before. */
const REFUSALS = new Set(["LoginRefused", "PasswordRefused", "TooManyLoginFailures"]);

const refused = Metric.counter("sign_ins_refused_total", {
  description: "Sign-ins refused by the mail server, or because too many were before",
  incremental: true,
});

/** Limits sign-ins by the number of recent failures (spec 3). */
export class LoginThrottle extends Context.Service<
  LoginThrottle,
  {
    /** Runs `ask`, a request to the mail server, unless too many attempts failed recently. Counts the server's refusals. */
    readonly limit: <A, E extends Tagged>(
      account: AccountId,
      credential: PasswordCredential,
      network: string,
      ask: Effect.Effect<A, E>,
    ) => Effect.Effect<A, E | LoginRefused | TooManyLoginFailures | StoreUnavailable>;
    /** Removes attempts and successes that are too old to count. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/LoginThrottle") {
  static readonly layer = Layer.effect(
    LoginThrottle,
    Effect.gen(function* () {
      const attempts = yield* LoginAttempts;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      // A counter must first be reported as 0. If the counter first appears as 1, monitoring sees no increase.
      yield* Metric.update(refused, 0);
      const gates = yield* RcMap.make<AccountId, Semaphore.Semaphore, never, never>({
        lookup: () => Semaphore.make(MAX_CONCURRENT),
      });

      const admit = Effect.fnUntraced(function* (attempt: LoginAttempt) {
        for (let now = attempt.at; ; now = yield* Clock.currentTimeMillis) {
          const current = { ...attempt, at: now };
          const verdict = yield* attempts.judge(current, (history) => judgeLogin(history, current));
          if (verdict._tag === "Ask") return current;
          if (verdict._tag === "Refuse") return yield* new LoginRefused();
          if (verdict._tag === "Throttle") return yield* new TooManyLoginFailures({ retryAfter: verdict.retryAfter });
          if (now - attempt.at >= Duration.toMillis(MAX_WAIT)) {
            return yield* new TooManyLoginFailures({ retryAfter: Duration.toMillis(POLL_INTERVAL) });
          }
          yield* Effect.interruptible(Effect.sleep(POLL_INTERVAL));
        }
      });

      /** Records the mail server's decision before it is returned to the client. */
      const settle = (attempt: LoginAttempt, exit: Exit.Exit<unknown, Tagged>) => {
        if (Exit.isSuccess(exit)) {
          return Effect.flatMap(Clock.currentTimeMillis, (now) => attempts.recordAcceptance(attempt, now));
        }
        const error = Option.getOrUndefined(Exit.findErrorOption(exit));
        if (!isLoginRefused(error)) return attempts.withdraw(attempt.id);
        return attempts.recordRefusal(attempt.id, error.isUnclear === true ? "unclear" : "wrong password");
      };

      const limit = Effect.fn("LoginThrottle.limit")(function* <A, E extends Tagged>(
        account: AccountId,
        credential: PasswordCredential,
        network: string,
        ask: Effect.Effect<A, E>,
      ) {
        const gate = yield* RcMap.get(gates, account);
        const attempt: LoginAttempt = {
          id: yield* entropy.id(128),
          account,
          network,
          passwordMark: fingerprints.ofPassword(account, credential.password),
          at: yield* Clock.currentTimeMillis,
        };
        return yield* gate
          .withPermits(1)(Effect.acquireUseRelease(admit(attempt), () => ask, settle))
          .pipe(Effect.tapError((error) => (REFUSALS.has(error._tag) ? Metric.update(refused, 1) : Effect.void)));
      }, Effect.scoped);

      const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        attempts.removeOld(now - Duration.toMillis(MAX_FAILURE_WINDOW), now - Duration.toMillis(SUCCESS_REMEMBERED)),
      ).pipe(Effect.withSpan("LoginThrottle.sweep"));

      return LoginThrottle.of({ limit, sweep });
    }),
  );
}

/** The maximum age of a failure that counts. */
export const MAX_FAILURE_WINDOW = Duration.days(1);
/** How long a network counts as known for an account after a successful sign-in. */
export const SUCCESS_REMEMBERED = Duration.days(30);
/** After this time, a pending attempt counts as lost with its process. */
const MAX_PENDING = Duration.minutes(2);
const SAME_PASSWORD = Duration.minutes(15);

interface Budget {
  readonly failures: number;
  readonly window: Duration.Duration;
  readonly counts: (one: RecordedAttempt, attempt: LoginAttempt) => boolean;
  readonly appliesToKnown: boolean;
}

/** The number of failures allowed in each period (spec 3). */
const BUDGETS: ReadonlyArray<Budget> = [
  {
    failures: 5,
    window: Duration.minutes(15),
    counts: (one, { account, network }) => one.account === account && one.network === network,
    appliesToKnown: true,
  },
  {
    failures: 10,
    window: Duration.minutes(15),
    counts: (one, { account }) => one.account === account,
    appliesToKnown: false,
  },
  {
    failures: 50,
    window: MAX_FAILURE_WINDOW,
    counts: (one, { network }) => one.network === network,
    appliesToKnown: true,
  },
];

/** Decides whether the mail server is asked about an attempt (spec 3). */
export const judgeLogin = ({ attempts, lastSuccessAt }: LoginHistory, attempt: LoginAttempt): LoginVerdict => {
  const now = attempt.at;
  const within = (one: RecordedAttempt, window: Duration.Duration) => now - one.at < Duration.toMillis(window);
  const isKnown = lastSuccessAt !== null && now - lastSuccessAt < Duration.toMillis(SUCCESS_REMEMBERED);

  const states = BUDGETS.filter(({ appliesToKnown }) => appliesToKnown || !isKnown).map((budget) => {
    const counted = attempts.filter((one) => budget.counts(one, attempt) && within(one, budget.window));
    const refused = counted.filter(({ outcome }) => outcome === "refused").map(({ at }) => at);
    const pending = counted.filter((one) => one.outcome === "pending" && within(one, MAX_PENDING)).length;
    const blocking = refused.toSorted((a, b) => b - a)[budget.failures - 1];
    const freeAt = blocking === undefined ? now : blocking + Duration.toMillis(budget.window);
    return { freeAt, full: refused.length + pending >= budget.failures };
  });

  const freeAt = Math.max(now, ...states.map((state) => state.freeAt));
  if (freeAt > now) return { _tag: "Throttle", retryAfter: freeAt - now };
  const isSamePassword = (one: RecordedAttempt) =>
    one.outcome === "refused" &&
    one.account === attempt.account &&
    one.passwordMark === attempt.passwordMark &&
    within(one, SAME_PASSWORD);
  if (attempts.some(isSamePassword)) return { _tag: "Refuse" };
  return states.some(({ full }) => full) ? { _tag: "Wait" } : { _tag: "Ask" };
};
