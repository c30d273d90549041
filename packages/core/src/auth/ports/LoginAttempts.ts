import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { LoginAttempt, LoginHistory, LoginVerdict } from "../login-throttle.ts";

/** Records failed sign-ins, and the networks of successful ones, for all processes together (spec 3). */
export class LoginAttempts extends Context.Service<
  LoginAttempts,
  {
    /**
     * Judges an attempt by the recorded ones and records it as the verdict says, in one step: of two attempts on one
     * account or from one network, the later sees the earlier.
     */
    readonly judge: (
      attempt: LoginAttempt,
      verdictOf: (history: LoginHistory) => LoginVerdict,
    ) => Effect.Effect<LoginVerdict, StoreUnavailable>;
    /** Records that the mail server refused the attempt: it counts. After an unclear refusal its password is forgotten. */
    readonly refused: (id: string, why: "wrong password" | "unclear") => Effect.Effect<void, StoreUnavailable>;
    /** Removes an attempt that ended without a decision of the mail server: it does not count. */
    readonly withdraw: (id: string) => Effect.Effect<void, StoreUnavailable>;
    /** Records that the attempt succeeded: it does not count, and its account is known in its network. */
    readonly accepted: (attempt: LoginAttempt, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Erases all records of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Removes attempts that began before `attemptsBefore` and successes before `successesBefore` (epoch milliseconds).
     */
    readonly removeOld: (attemptsBefore: number, successesBefore: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/LoginAttempts") {}
