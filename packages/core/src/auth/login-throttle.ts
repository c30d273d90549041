import { Duration } from "effect";
import type { AccountId } from "../shared/index.ts";

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

/** The records that an attempt is judged by. */
export interface LoginHistory {
  /** Attempts of the same account or the same network within `MAX_WINDOW`. */
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

/** The longest time that a failure counts. */
export const MAX_WINDOW = Duration.days(1);
/** How long an account counts as known in a network after a successful sign-in. */
export const SUCCESS_REMEMBERED = Duration.days(30);
/** An attempt that is pending for longer counts as lost with its process. */
const MAX_PENDING = Duration.minutes(2);
const SAME_PASSWORD = Duration.minutes(15);

interface Budget {
  readonly failures: number;
  readonly window: Duration.Duration;
  readonly counts: (one: RecordedAttempt, attempt: LoginAttempt) => boolean;
  readonly appliesToKnown: boolean;
}

/** The allowed failures (spec 3). */
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
    window: MAX_WINDOW,
    counts: (one, { network }) => one.network === network,
    appliesToKnown: true,
  },
];

/** Decides what to do with an attempt before the mail server is asked (spec 3). */
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
