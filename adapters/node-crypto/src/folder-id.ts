import { createHmac, type KeyObject } from "node:crypto";
import type { AccountId } from "@postern/core/shared";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const LENGTH = 20;

/**
 * The id of a folder (spec 4): `f_` and 100 bits of HMAC-SHA256 over account and identity, in the alphabet of
 * base32 (RFC 4648) in lower case. An account holds no NUL, so the two never run together.
 */
export const folderIdWith =
  (key: KeyObject) =>
  (account: AccountId, identity: string): string => {
    const digest = createHmac("sha256", key).update(`${account}\0${identity}`).digest();
    let id = "f_";
    for (let n = 0; n < LENGTH; n++) {
      const bit = n * 5;
      id += ALPHABET[(digest.readUInt16BE(bit >> 3) >> (11 - (bit & 7))) & 31];
    }
    return id;
  };
