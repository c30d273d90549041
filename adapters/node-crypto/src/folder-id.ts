import { createHmac, type KeyObject } from "node:crypto";
import type { AccountId } from "@postern/core/shared";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const LENGTH = 20;

/**
 * Returns the id of a folder (spec 4): `f_` and 100 bits of HMAC-SHA256 over account and identity, in base32 (RFC 4648)
 * in lower case. An account contains no NUL, so account and identity stay distinct.
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
