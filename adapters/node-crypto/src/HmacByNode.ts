import { createHmac } from "node:crypto";
import { Hmac } from "@postern/core";
import { Layer } from "effect";

/** HMAC-SHA-256 with node:crypto (RFC 2104). */
export const HmacByNode = Layer.succeed(Hmac, {
  sha256: (key, ...parts) => {
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return Uint8Array.from(hmac.digest());
  },
});
