/**
 * Returns whether any of the signatures is the HMAC-SHA-256 of the message under any of the keys. Every pair is checked
 * with `crypto.subtle.verify`, which takes the same time for any wrong signature.
 */
export const signatureMatches = async (
  keys: ReadonlyArray<Uint8Array>,
  signatures: ReadonlyArray<Uint8Array>,
  message: Uint8Array,
): Promise<boolean> => {
  const usable = await Promise.all(
    keys.map((key) =>
      crypto.subtle.importKey("raw", copyBytes(key), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]),
    ),
  );
  const pairs = usable.flatMap((key) => signatures.map((signature) => [key, signature] as const));
  const matches = await Promise.all(
    pairs.map(([key, signature]) => crypto.subtle.verify("HMAC", key, copyBytes(signature), copyBytes(message))),
  );
  return matches.includes(true);
};

/** Returns a copy of bytes, because Web Crypto accepts no view of shared memory. */
const copyBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
