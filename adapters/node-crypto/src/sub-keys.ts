import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

/** The length of every key here. */
export const KEY_BYTES = 32;

/**
 * A 256-bit key for one purpose, by HKDF-SHA256 (RFC 5869) of the id key. Labels hold no NUL, so that a label and a
 * subject have one spelling together.
 */
export const subKey = (idKey: Uint8Array, label: string, subject = ""): KeyObject =>
  createSecretKey(
    new Uint8Array(hkdfSync("sha256", idKey, new Uint8Array(0), `postern/${label}/1\0${subject}`, KEY_BYTES)),
  );
