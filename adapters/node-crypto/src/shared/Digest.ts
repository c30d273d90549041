import { createHash } from "node:crypto";
import { Digest } from "@postern/core/shared";
import { Effect, Layer, Stream } from "effect";

/** SHA-256 with node:crypto. */
export const layer = Layer.succeed(Digest, {
  sha256: (bytes) =>
    Effect.suspend(() => {
      const hash = createHash("sha256");
      return Effect.map(
        Stream.runForEach(bytes, (chunk) => Effect.sync(() => void hash.update(chunk))),
        () => hash.digest("base64url"),
      );
    }),
});
