import { Clock, Context, Duration, Effect, Exit, Layer, Option, RcMap, Schema, Semaphore } from "effect";
import { type AccountId, Entropy, type StoreUnavailable } from "../shared/index.ts";
import { LoginRefused, TooManyLoginFailures } from "./errors.ts";
import { judgeLogin, type LoginAttempt, MAX_WINDOW, SUCCESS_REMEMBERED } from "./login-throttle.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { LoginAttempts } from "./ports/LoginAttempts.ts";
import type { PasswordCredential } from "./mail-credential.ts";

/** Concurrent sign-ins per account in this process; below the number of failures allowed. */
const MAX_CONCURRENT = 4;
/** Interval and limit of the wait for pending attempts in other processes. */
const ASK_AGAIN = Duration.millis(100);
const MAX_WAIT = Duration.seconds(15);

interface Tagged {
  readonly _tag: string;
}

const isLoginRefused = Schema.is(LoginRefused);

/** Limits sign-ins by the failures of the last minutes (spec 3). */
export class LoginThrottle extends Context.Service<
  LoginThrottle,
  {
    /** Runs `ask`, in which the mail server decides, unless too many attempts failed recently. Counts its refusals. */
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
            return yield* new TooManyLoginFailures({ retryAfter: Duration.toMillis(ASK_AGAIN) });
          }
          yield* Effect.interruptible(Effect.sleep(ASK_AGAIN));
        }
      });

      /** Records the mail server's decision before it is returned to the client. */
      const settle = (attempt: LoginAttempt, exit: Exit.Exit<unknown, Tagged>) => {
        if (Exit.isSuccess(exit)) {
          return Effect.flatMap(Clock.currentTimeMillis, (now) => attempts.accepted(attempt, now));
        }
        const error = Option.getOrUndefined(Exit.findErrorOption(exit));
        if (!isLoginRefused(error)) return attempts.withdraw(attempt.id);
        return attempts.refused(attempt.id, error.isUnclear === true ? "unclear" : "wrong password");
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
        return yield* gate.withPermits(1)(Effect.acquireUseRelease(admit(attempt), () => ask, settle));
      }, Effect.scoped);

      const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        attempts.removeOld(now - Duration.toMillis(MAX_WINDOW), now - Duration.toMillis(SUCCESS_REMEMBERED)),
      ).pipe(Effect.withSpan("LoginThrottle.sweep"));

      return LoginThrottle.of({ limit, sweep });
    }),
  );
}
