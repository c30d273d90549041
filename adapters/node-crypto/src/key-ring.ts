import { createSecretKey, type KeyObject } from "node:crypto";
import { Effect } from "effect";
import { KeyUnusable } from "./errors.ts";
import { KID } from "./sealed-text.ts";
import { KEY_BYTES } from "./sub-keys.ts";

/** A named key of 32 bytes that seals secrets. */
export interface SealingKey {
  readonly kid: string;
  readonly key: Uint8Array;
}

/** The keys by name, and the key that seals. */
export interface KeyRing {
  readonly active: { readonly kid: string; readonly key: KeyObject };
  readonly byKid: ReadonlyMap<string, KeyObject>;
}

/** Builds the key ring; fails for an empty list, for invalid or repeated names, and for keys of another length. */
export const makeKeyRing = Effect.fnUntraced(function* (keys: ReadonlyArray<SealingKey>) {
  const byKid = new Map<string, KeyObject>();
  for (const [n, { kid, key }] of keys.entries()) {
    const problem = problemWith(kid, key, byKid);
    if (problem !== undefined) return yield* new KeyUnusable({ key: `key ${n + 1}`, problem });
    byKid.set(kid, createSecretKey(key));
  }
  const [first] = byKid;
  if (first === undefined) return yield* new KeyUnusable({ key: "key 1", problem: "is missing" });
  return { active: { kid: first[0], key: first[1] }, byKid } satisfies KeyRing;
});

const problemWith = (kid: string, key: Uint8Array, known: ReadonlyMap<string, unknown>): string | undefined => {
  if (!KID.test(kid)) return "its name is not 1 to 64 letters, digits, - or _";
  if (known.has(kid)) return `its name ${kid} was given before`;
  return key.length === KEY_BYTES ? undefined : `(${kid}) has ${key.length} bytes, must have ${KEY_BYTES}`;
};
