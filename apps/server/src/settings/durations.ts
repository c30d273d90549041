import type { RetryLadder } from "@postern/core/shared";
import { type Environment, readVariable, millisOf, refuse } from "./environment.ts";

/** Returns a positive duration in milliseconds; throws `ConfigError`. */
export const duration = (env: Environment, name: string, otherwise: number): number => {
  const value = readVariable(env, name);
  const millis = value === undefined ? otherwise : millisOf(value);
  if (millis !== undefined && millis > 0) return millis;
  throw refuse(name, `is ${JSON.stringify(value)}`, "a duration such as 500ms, 15s, 5m, 1h or 1d");
};

/** Returns durations in milliseconds; throws `ConfigError`. */
export const durations = (env: Environment, name: string, otherwise: RetryLadder): RetryLadder => {
  const value = readVariable(env, name);
  if (value === undefined) return otherwise;
  const all = value.split(",").map(millisOf);
  if (all.length <= 20 && all.every((millis) => millis !== undefined)) return all;
  throw refuse(name, `is ${JSON.stringify(value)}`, "up to 20 durations separated by commas, such as 1m,5m,15m,1h,6h");
};

/** Returns durations without a zero; throws `ConfigError`. */
export const positiveDurations = (env: Environment, name: string, otherwise: RetryLadder): RetryLadder => {
  const all = durations(env, name, otherwise);
  if (all.every((millis) => millis > 0)) return all;
  throw refuse(
    name,
    `is ${JSON.stringify(readVariable(env, name))}`,
    "durations above zero, such as 1m,5m,15m,30m,1h,2h",
  );
};
