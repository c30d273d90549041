import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

/** Length of every key in bytes. */
export const KEY_BYTES = 32;

/**
 * Derives a 256-bit key for one purpose by HKDF-SHA256 (RFC 5869) of the id key. A label contains no NUL, so label and
 * subject stay distinct.
 */
export const subKey = (idKey: Uint8Array, label: string, subject = ""): KeyObject =>
  createSecretKey(
    new Uint8Array(hkdfSync("sha256", idKey, new Uint8Array(0), `postern/${label}/1\0${subject}`, KEY_BYTES)),
  );
