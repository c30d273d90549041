import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { Option } from "effect";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** How many bytes longer a sealed text is than its plain text. */
export const OVERHEAD = IV_BYTES + TAG_BYTES;

/** AES-256-GCM: a random 96-bit IV, the cipher text, the 128-bit tag. */
export const aeadSeal = (key: KeyObject, associated: string, plain: Uint8Array): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(associated));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

/** Returns the plain text if it was sealed with this key and associated data and was not altered. */
export const aeadOpen = (key: KeyObject, associated: string, sealed: Buffer): Option.Option<Buffer> => {
  if (sealed.length < OVERHEAD) return Option.none();
  // Without authTagLength Node accepts tags of 4 bytes, which can be guessed.
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(associated))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  try {
    decipher.final();
    return Option.some(plain);
  } catch {
    plain.fill(0);
    return Option.none();
  }
};
