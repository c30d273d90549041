import { layer as HmacByNode } from "./webhooks/Hmac.ts";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { Entropy, OpaqueIds } from "@postern/core/shared";
import { Fingerprints } from "@postern/core/auth";
import type { Hmac } from "@postern/core/webhooks";
import { Effect, Layer, Redacted } from "effect";
import { accountIdsWith } from "./account-ids.ts";
import { KeyUnusable } from "./errors.ts";
import { folderIdWith } from "./folder-id.ts";
import { messageIdsWith } from "./message-ids.ts";
import { KEY_BYTES, subKey } from "./sub-keys.ts";

const entropy = Layer.succeed(Entropy, {
  // randomBytes would silently round a fraction of a byte down.
  id: (bits) =>
    bits % 8 === 0
      ? Effect.sync(() => randomBytes(bits / 8).toString("base64url"))
      : Effect.die(new RangeError(`${bits} bits are no whole bytes`)),
});

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
  return Fingerprints.of({
    ofToken: (token) => createHash("sha256").update(token).digest("base64url"),
    ofPassword: (account, password) =>
      createHmac("sha256", key)
        .update(`${account}\0${Redacted.value(password)}`)
        .digest("base64url"),
    ofAccount: (account) => createHmac("sha256", accountKey).update(account).digest("base64url").slice(0, 16),
  });
};

/**
 * Identifiers, fingerprints and randomness with node:crypto (spec 3, 5). `idKey` is 32 secret bytes, the same on every
 * node and as long as clients keep ids; any other length is refused.
 */
export const layer = (options: {
  readonly idKey: Uint8Array;
}): Layer.Layer<OpaqueIds | Fingerprints | Entropy | Hmac, KeyUnusable> =>
  Layer.mergeAll(
    Layer.effect(OpaqueIds, opaqueIds(options.idKey)),
    Layer.sync(Fingerprints, () => fingerprints(options.idKey)),
    entropy,
    HmacByNode,
  );
