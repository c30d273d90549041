import { Duration } from "effect";
import type { ServiceKey } from "./ServiceKey.ts";

/** Sizes of the two random parts of a key. */
export const KEY_ID_BITS = 96;
export const KEY_SECRET_BITS = 256;

const PREFIX = "psk_";
const KEY = /^psk_([\w-]{16})_[\w-]{43}$/;

/** Precision of `lastUsedAt`, so that not every request writes. */
const USE_PRECISION = Duration.minutes(1);

/** Returns the text of a key, which its holder sends. */
export const serviceKeyText = (id: string, secret: string): string => `${PREFIX}${id}_${secret}`;

/** Whether the text claims to be a service key. */
export const isServiceKeyText = (text: string): boolean => text.startsWith(PREFIX);

/** Returns the id in the text of a key; undefined if the text has another form. */
export const serviceKeyIdOf = (text: string): string | undefined => KEY.exec(text)?.[1];

/** Whether the key has not expired. */
export const isKeyLive = ({ expiresAt }: ServiceKey, now: number): boolean => expiresAt === null || now < expiresAt;

/** Returns the newest `lastUsedAt` that a use at `now` replaces. */
export const replacedUse = (now: number): number => now - Duration.toMillis(USE_PRECISION);

/** Whether two hashes are equal; takes the same time wherever they differ. */
export const isSameHash = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
};
