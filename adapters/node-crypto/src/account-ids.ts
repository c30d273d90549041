import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import { type AccountId, accountIdOf, type OpaqueIds } from "@postern/core/shared";
import { Option } from "effect";
import { subKey } from "./sub-keys.ts";

const PREFIX = "acc_";
const IV_BYTES = 16;
/** Addresses are padded with NUL to a multiple of this, so that an id tells little of their length. */
const PADDED_TO = 32;
/** An id takes some 30 microseconds to make, and the answers and events of an account repeat it. */
const MOST_KEPT = 1_000;

/**
 * Returns the functions for account ids (spec 10.1): `acc_` and, in base64url, a synthetic IV and the padded address
 * under AES-256-CTR. The IV is the first half of HMAC-SHA256 of the padded address under a second key, so the same
 * address gives the same id, and an altered or forged id is refused.
 */
export const accountIdsWith = (idKey: Uint8Array): Pick<OpaqueIds["Service"], "accountId" | "account"> => {
  const key = subKey(idKey, "account-id");
  const ivKey = subKey(idKey, "account-id-iv");
  const ivOf = (padded: Buffer) => createHmac("sha256", ivKey).update(padded).digest().subarray(0, IV_BYTES);
  const kept = new Map<AccountId, string>();
  const idOf = (account: AccountId): string => {
    const plain = Buffer.from(account);
    const padded = Buffer.concat([plain, Buffer.alloc(PADDED_TO - (plain.length % PADDED_TO))]);
    const iv = ivOf(padded);
    const sealed = createCipheriv("aes-256-ctr", key, iv).update(padded);
    return PREFIX + Buffer.concat([iv, sealed]).toString("base64url");
  };
  return {
    accountId: (account) => {
      const known = kept.get(account);
      if (known !== undefined) return known;
      if (kept.size >= MOST_KEPT) kept.clear();
      const id = idOf(account);
      kept.set(account, id);
      return id;
    },
    account: (id): Option.Option<AccountId> => {
      const bytes = Buffer.from(id.slice(PREFIX.length), "base64url");
      if (bytes.length <= IV_BYTES || PREFIX + bytes.toString("base64url") !== id) return Option.none();
      const iv = bytes.subarray(0, IV_BYTES);
      const padded = createDecipheriv("aes-256-ctr", key, iv).update(bytes.subarray(IV_BYTES));
      return ivOf(padded).equals(iv) ? accountIdOf(padded.toString().replace(/\0+$/, "")) : Option.none();
    },
  };
};
