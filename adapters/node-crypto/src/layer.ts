import { createHash, createHmac, randomBytes } from "node:crypto";
import { type Digest, Entropy, OpaqueIds } from "@postern/core/shared";
import { Fingerprints } from "@postern/core/auth";
import type { Hmac } from "@postern/core/webhooks";
import { Effect, Layer, Redacted } from "effect";
import { accountIdsWith } from "./account-ids.ts";
import { KeyUnusable } from "./errors.ts";
import { folderIdWith } from "./folder-id.ts";
import { messageIdsWith } from "./message-ids.ts";
import { layer as DigestByNode } from "./shared/Digest.ts";
import { KEY_BYTES, subKey } from "./sub-keys.ts";
import { layer as HmacByNode } from "./webhooks/Hmac.ts";

/** Random bytes drawn at a time: a call of the system's generator costs as much for 4 KiB as for a few bytes. */
const POOL_BYTES = 4096;

/** Returns a function that draws random bytes, each given once and then erased from the pool. */
const drawnFromPool = () => {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (bytes: number): string => {
    if (bytes > POOL_BYTES) return randomBytes(bytes).toString("base64url");
    if (used + bytes > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0];
    const text = pool.toString("base64url", used, used + bytes);
    pool.fill(0, used, (used += bytes));
    return text;
  };
};

const entropy = Layer.sync(Entropy, () => {
  const draw = drawnFromPool();
  return {
    // A fraction of a byte would silently be rounded down.
    id: (bits) =>
      bits % 8 === 0
        ? Effect.sync(() => draw(bits / 8))
        : Effect.die(new RangeError(`${bits} bits are no whole bytes`)),
  };
});

const opaqueIds = Effect.fnUntraced(function* (idKey: Uint8Array) {
  if (idKey.length !== KEY_BYTES) {
    return yield* new KeyUnusable({ key: "idKey", problem: `has ${idKey.length} bytes, must have ${KEY_BYTES}` });
  }
  const key = Uint8Array.from(idKey);
  return OpaqueIds.of({
    ...accountIdsWith(key),
    folderId: folderIdWith(subKey(key, "folder-id")),
    ...messageIdsWith(key),
  });
});

/** Accounts whose mark is kept, because each logged line of a request has one. */
const MOST_MARKS = 1_000;

const fingerprints = (idKey: Uint8Array) => {
  const key = subKey(Uint8Array.from(idKey), "password-mark");
  const accountKey = subKey(Uint8Array.from(idKey), "account-mark");
  const marks = new Map<string, string>();
  const markOf = (account: string): string => {
    const known = marks.get(account);
    if (known !== undefined) return known;
    const mark = createHmac("sha256", accountKey).update(account).digest("base64url").slice(0, 16);
    if (marks.size >= MOST_MARKS) marks.clear();
    marks.set(account, mark);
    return mark;
  };
  return Fingerprints.of({
    ofToken: (token) => createHash("sha256").update(token).digest("base64url"),
    ofPassword: (account, password) =>
      createHmac("sha256", key)
        .update(`${account}\0${Redacted.value(password)}`)
        .digest("base64url"),
    ofAccount: markOf,
  });
};

/**
 * Identifiers, fingerprints and randomness with node:crypto (spec 3, 5). `idKey` is 32 secret bytes, the same on every
 * node and as long as clients keep ids; any other length is refused.
 */
export const layer = (options: {
  readonly idKey: Uint8Array;
}): Layer.Layer<OpaqueIds | Fingerprints | Entropy | Digest | Hmac, KeyUnusable> =>
  Layer.mergeAll(
    Layer.effect(OpaqueIds, opaqueIds(options.idKey)),
    Layer.sync(Fingerprints, () => fingerprints(options.idKey)),
    entropy,
    DigestByNode,
    HmacByNode,
  );
