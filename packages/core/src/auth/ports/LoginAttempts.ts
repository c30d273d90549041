import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";

/** An attempt to sign in. Times are epoch milliseconds. */
export interface LoginAttempt {
  readonly id: string;
  readonly account: AccountId;
  /** The network of the client: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  readonly passwordMark: string;
  readonly at: number;
}

/** An earlier attempt that was refused or is still pending. */
export interface RecordedAttempt extends LoginAttempt {
  readonly outcome: "refused" | "pending";
}

/** The records from which an attempt is decided. */
export interface LoginHistory {
  /** Attempts of the same account or the same network within `MAX_FAILURE_WINDOW`. */
  readonly attempts: ReadonlyArray<RecordedAttempt>;
  /** When this account last signed in from this network. */
  readonly lastSuccessAt: number | null;
}

/**
 * The decision about an attempt. `Ask`: the mail server decides; the attempt is recorded as pending. `Refuse`: the mail
 * server refused this password recently; the attempt is recorded as refused. `Wait`: pending attempts might use up the
 * remaining failures.
 */
export type LoginVerdict =
  | { readonly _tag: "Ask" }
  | { readonly _tag: "Refuse" }
  | { readonly _tag: "Wait" }
  | { readonly _tag: "Throttle"; readonly retryAfter: number };

/** Records failed sign-ins, and the networks of successful ones, for all processes together (spec 3). */
export class LoginAttempts extends Context.Service<
  LoginAttempts,
  {
    /**
     * Decides about an attempt from the recorded attempts and records it, atomically. Of two attempts on one account or
     * from one network, the later one sees the earlier one.
     */
    readonly judge: (
      attempt: LoginAttempt,
      verdictOf: (history: LoginHistory) => LoginVerdict,
    ) => Effect.Effect<LoginVerdict, StoreUnavailable>;
    /**
     * Records that the mail server refused the attempt, which then counts as a failure. After an unclear refusal, the
     * record keeps no hash of the password.
     */
    readonly recordRefusal: (id: string, why: "wrong password" | "unclear") => Effect.Effect<void, StoreUnavailable>;
    /** Removes an attempt that ended without a decision of the mail server, so that it does not count. */
    readonly withdraw: (id: string) => Effect.Effect<void, StoreUnavailable>;
    /** Records that the attempt succeeded: it does not count as a failure, and the account is now known in this network. */
    readonly recordAcceptance: (attempt: LoginAttempt, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Erases all records of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes attempts that began before `attemptsBefore` and successes before `successesBefore` (epoch milliseconds). */
    readonly removeOld: (attemptsBefore: number, successesBefore: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/LoginAttempts") {}
