import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Effect, Layer, Schema } from "effect";
import { RecordCipher, type RecordPlace } from "../src/index.ts";

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {}) {}

const KEY = randomBytes(32);
const associated = ({ table, account, column }: RecordPlace) => Buffer.from(JSON.stringify([table, account, column]));

/** A minimal implementation of the port: AES-256-GCM under one key, bound to the place. */
export const cipher = Layer.succeed(RecordCipher, {
  seal: (plain, place) =>
    Effect.sync(() => {
      const iv = randomBytes(12);
      const sealing = createCipheriv("aes-256-gcm", KEY, iv, { authTagLength: 16 }).setAAD(associated(place));
      return Buffer.concat([iv, sealing.update(plain), sealing.final(), sealing.getAuthTag()]).toString("base64url");
    }),
  open: (sealed, place) =>
    Effect.try({
      try: () => {
        const bytes = Buffer.from(sealed, "base64url");
        const opening = createDecipheriv("aes-256-gcm", KEY, bytes.subarray(0, 12), { authTagLength: 16 })
          .setAAD(associated(place))
          .setAuthTag(bytes.subarray(-16));
        return Buffer.concat([opening.update(bytes.subarray(12, -16)), opening.final()]);
      },
      catch: () => new Unreadable(),
    }),
  kidOf: (sealed) => Effect.succeed(/^(\w+)!/.exec(sealed)?.[1] ?? "only"),
  kids: ["only"],
});
