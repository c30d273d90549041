import { Result } from "effect";
import type { ServiceKey } from "../auth/index.ts";
import { policyOf, type SendPolicy } from "../auth/neighbours.ts";
import { KeySendRateExceeded, SendRateExceeded } from "./errors.ts";

/** The service key or the agent's grant of a request to send. */
export interface SendingKey {
  readonly kind: "key" | "grant";
  readonly id: string;
  readonly name: string;
  readonly application: string;
  /** The policy for sending without an approval; null if there are no restrictions. */
  readonly policy: SendPolicy | null;
  /** The maximum number of messages that the key may send in 24 hours, over all accounts; null if only the accounts' limits count. */
  readonly sendPerDay: number | null;
}

/** Converts a service key to the key of a request to send. */
export const sendingKeyOf = (
  key: Pick<ServiceKey, "kind" | "id" | "name" | "application" | "sendPerDay" | "sendPolicy"> & {
    readonly scopes: ReadonlyArray<string>;
  },
): SendingKey => ({
  kind: key.kind ?? "key",
  id: key.id,
  name: key.name,
  application: key.application,
  sendPerDay: key.sendPerDay,
  policy: policyOf(key),
});

/**
 * Returns the maximum number of messages that a key may send in 24 hours, by its own limit and its policy; null if
 * neither limits the number.
 */
export const dailyLimitOf = ({ sendPerDay, policy }: Pick<SendingKey, "sendPerDay" | "policy">): number | null => {
  const limit = Math.min(sendPerDay ?? Infinity, policy?.perDay ?? Infinity);
  return limit === Infinity ? null : limit;
};

/** The maximum numbers of messages that an account may send per minute and per day (spec 1). */
export interface SendRates {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The numbers of messages that an account or a key has sent in the current minute and day. */
export interface SendQuota {
  readonly minute: SendWindow;
  readonly day: SendWindow;
}

/** A window that began at `startedAt` (epoch milliseconds), and its number of messages. */
export interface SendWindow {
  readonly startedAt: number;
  readonly used: number;
}

const MINUTE_MILLIS = 60_000;
const DAY_MILLIS = 86_400_000;

export const UNUSED_QUOTA: SendQuota = { minute: { startedAt: 0, used: 0 }, day: { startedAt: 0, used: 0 } };

/** Counts one message, or fails with the wait until the next message is allowed. */
export const spend = (
  quota: SendQuota,
  { perMinute, perDay }: SendRates,
  now: number,
): Result.Result<SendQuota, SendRateExceeded> => {
  const minute = currentWindow(quota.minute, MINUTE_MILLIS, now);
  const day = currentWindow(quota.day, DAY_MILLIS, now);
  const refuse = (window: "minute" | "day", retryAfter: number) =>
    Result.fail(new SendRateExceeded({ window, retryAfter, perMinute, perDay }));
  if (day.used >= perDay) return refuse("day", day.startedAt + DAY_MILLIS - now);
  if (minute.used >= perMinute) return refuse("minute", minute.startedAt + MINUTE_MILLIS - now);
  return Result.succeed({ minute: countOne(minute), day: countOne(day) });
};

/** Counts one message of a service key, or fails with the wait until the next message is allowed. */
export const spendByKey = (
  quota: SendQuota,
  perDay: number,
  now: number,
): Result.Result<SendQuota, KeySendRateExceeded> =>
  Result.mapError(
    spend(quota, { perMinute: Infinity, perDay }, now),
    ({ retryAfter }) => new KeySendRateExceeded({ retryAfter, perDay }),
  );

const currentWindow = (window: SendWindow, length: number, now: number): SendWindow =>
  now - window.startedAt < length ? window : { startedAt: now, used: 0 };

const countOne = ({ startedAt, used }: SendWindow): SendWindow => ({ startedAt, used: used + 1 });
