import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { type AccountId, accountIdOf, type Digest, Entropy, OpaqueIds } from "@postern/core/shared";
import { Fingerprints } from "@postern/core/auth";
import type { Hmac } from "@postern/core/webhooks";
import { Effect, Layer, Option, Redacted } from "effect";
import { remember } from "./bounded-map.ts";
import { KeyUnusable } from "./errors.ts";
import { folderIdWith } from "./folder-id.ts";
import { messageIdsWith } from "./message-ids.ts";
import { layer as DigestByNode } from "./shared/Digest.ts";
import { KEY_BYTES, subKey } from "./sub-keys.ts";
import { layer as HmacByNode } from "./webhooks/Hmac.ts";

/** How many accounts' ids and fingerprints are cached. Each takes some 30 microseconds to compute, and answers, events and log lines repeat them. */
const ACCOUNTS_REMEMBERED = 1_000;

/** How many random bytes are drawn at a time. A call of the system's generator costs as much for 4 KiB as for a few bytes. */
const POOL_BYTES = 4096;

/** Returns a function that draws random bytes, each returned once and then erased from the pool. */
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

const ACCOUNT_ID = "acc_";
const IV_BYTES = 16;
/**
 * Addresses are padded with NUL to a multiple of this length, so that an id reveals little about the length of its
 * address.
 */
const PADDED_TO = 32;

/**
 * Returns the functions for account ids (spec 10.1): `acc_` and, in base64url, a synthetic IV and the padded address
 * under AES-256-CTR. The IV is the first half of HMAC-SHA256 of the padded address under a second key. So the same
 * address gives the same id, and an altered or forged id is refused.
 */
const accountIdsWith = (idKey: Uint8Array): Pick<OpaqueIds["Service"], "accountId" | "account"> => {
  const key = subKey(idKey, "account-id");
  const ivKey = subKey(idKey, "account-id-iv");
  const ivOf = (padded: Buffer) => createHmac("sha256", ivKey).update(padded).digest().subarray(0, IV_BYTES);
  const kept = new Map<AccountId, string>();
  const idOf = (account: AccountId): string => {
    const plain = Buffer.from(account);
    const padded = Buffer.concat([plain, Buffer.alloc(PADDED_TO - (plain.length % PADDED_TO))]);
    const iv = ivOf(padded);
    const sealed = createCipheriv("aes-256-ctr", key, iv).update(padded);
    return ACCOUNT_ID + Buffer.concat([iv, sealed]).toString("base64url");
  };
  return {
    accountId: (account) => kept.get(account) ?? remember(kept, account, idOf(account), ACCOUNTS_REMEMBERED),
    account: (id): Option.Option<AccountId> => {
      const bytes = Buffer.from(id.slice(ACCOUNT_ID.length), "base64url");
      if (bytes.length <= IV_BYTES || ACCOUNT_ID + bytes.toString("base64url") !== id) return Option.none();
      const iv = bytes.subarray(0, IV_BYTES);
      const padded = createDecipheriv("aes-256-ctr", key, iv).update(bytes.subarray(IV_BYTES));
      return ivOf(padded).equals(iv) ? accountIdOf(padded.toString().replace(/\0+$/, "")) : Option.none();
    },
  };
};

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

const fingerprints = (idKey: Uint8Array) => {
  const key = subKey(Uint8Array.from(idKey), "password-mark");
  const accountKey = subKey(Uint8Array.from(idKey), "account-mark");
  const marks = new Map<string, string>();
  const markOf = (account: string) => createHmac("sha256", accountKey).update(account).digest("base64url").slice(0, 16);
  return Fingerprints.of({
    ofToken: (token) => createHash("sha256").update(token).digest("base64url"),
    ofPassword: (account, password) =>
      createHmac("sha256", key)
        .update(`${account}\0${Redacted.value(password)}`)
        .digest("base64url"),
    ofAccount: (account) => marks.get(account) ?? remember(marks, account, markOf(account), ACCOUNTS_REMEMBERED),
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
