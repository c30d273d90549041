import { createHmac, createSecretKey } from "node:crypto";
import { Hmac } from "@postern/core/webhooks";
import { Layer } from "effect";

/** HMAC-SHA-256 with node:crypto (RFC 2104). */
export const layer = Layer.succeed(Hmac, {
  sha256: (bytes) => {
    // From key bytes, node would create a key object for every message, which costs five times the hash itself.
    const key = createSecretKey(bytes);
    return (...parts) => {
      const hmac = createHmac("sha256", key);
      for (const part of parts) hmac.update(part);
      return Uint8Array.from(hmac.digest());
    };
  },
});
