import { Result } from "effect";
import { SendRateExceeded } from "./errors.ts";

/** How many messages an account may send in a minute and in a day (decisions 1). */
export interface SendRates {
  readonly perMinute: number;
  readonly perDay: number;
}

/** What an account has sent in the minute and the day that began at these times (epoch milliseconds). */
export interface SendQuota {
  readonly minute: SendWindow;
  readonly day: SendWindow;
}

export interface SendWindow {
  readonly startedAt: number;
  readonly used: number;
}

export const MINUTE_MILLIS = 60_000;
export const DAY_MILLIS = 86_400_000;

export const UNUSED: SendQuota = { minute: { startedAt: 0, used: 0 }, day: { startedAt: 0, used: 0 } };

/** Takes one message off the quota, or says how long to wait for it. */
export const spend = (
  quota: SendQuota,
  { perMinute, perDay }: SendRates,
  now: number,
): Result.Result<SendQuota, SendRateExceeded> => {
  const minute = current(quota.minute, MINUTE_MILLIS, now);
  const day = current(quota.day, DAY_MILLIS, now);
  if (day.used >= perDay) return exceeded(day, DAY_MILLIS, now);
  if (minute.used >= perMinute) return exceeded(minute, MINUTE_MILLIS, now);
  return Result.succeed({ minute: oneMore(minute), day: oneMore(day) });
};

/** What is left, for the header fields `RateLimit` and `RateLimit-Policy`; seconds until a window ends. */
export const remaining = (quota: SendQuota, rates: SendRates, now: number) => {
  const left = (window: SendWindow, length: number, most: number) => {
    const { startedAt, used } = current(window, length, now);
    return { left: Math.max(0, most - used), seconds: Math.ceil((startedAt + length - now) / 1000) };
  };
  return {
    minute: left(quota.minute, MINUTE_MILLIS, rates.perMinute),
    day: left(quota.day, DAY_MILLIS, rates.perDay),
  };
};

const current = (window: SendWindow, length: number, now: number): SendWindow =>
  now - window.startedAt < length ? window : { startedAt: now, used: 0 };

const oneMore = ({ startedAt, used }: SendWindow): SendWindow => ({ startedAt, used: used + 1 });

const exceeded = ({ startedAt }: SendWindow, length: number, now: number) =>
  Result.fail(new SendRateExceeded({ retryAfter: startedAt + length - now }));
