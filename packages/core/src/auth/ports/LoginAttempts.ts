import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { LoginAttempt, LoginHistory, LoginVerdict } from "../login-throttle.ts";

/** Remembers failed sign-ins and who succeeded from where, for all processes together (spec 3). */
export class LoginAttempts extends Context.Service<
  LoginAttempts,
  {
    /**
     * Judges an attempt by what there is and, in the same step, writes down what the verdict says of it: no two attempts
     * on one account or from one network are judged without one seeing the other.
     */
    readonly judge: (
      attempt: LoginAttempt,
      verdictOf: (history: LoginHistory) => LoginVerdict,
    ) => Effect.Effect<LoginVerdict, StoreUnavailable>;
    /** The mail server refused it: it counts. */
    readonly refused: (id: string) => Effect.Effect<void, StoreUnavailable>;
    /** Removes an attempt that ended without a decision of the mail server: it counts for nothing. */
    readonly withdraw: (id: string) => Effect.Effect<void, StoreUnavailable>;
    /** It succeeded: it does not count, and its account is known to sign in from its network. */
    readonly accepted: (attempt: LoginAttempt, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets what is remembered of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes what is too old to count: attempts begun before one time, successes before another. */
    readonly removeOld: (attemptsBefore: number, successesBefore: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/LoginAttempts") {}
