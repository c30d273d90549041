import { assert, layer } from "@effect/vitest";
import { Entropy } from "@postern/core/shared";
import { Effect, type Layer, Result } from "effect";
import * as Base64Url from "effect/encoding/Base64Url";

const bytesOf = (id: string): Uint8Array => Result.getOrThrow(Base64Url.decode(id));

/** The contract of `Entropy`. */
export const entropyContract = (name: string, live: Layer.Layer<Entropy, unknown>) =>
  layer(live)(name, (it) => {
    it.effect.each([8, 16, 24, 128, 160, 256, 512])("returns %d bits as base64url without padding", (bits) =>
      Effect.gen(function* () {
        const id = yield* (yield* Entropy).id(bits);
        assert.match(id, /^[A-Za-z0-9_-]+$/);
        assert.strictEqual(bytesOf(id).length * 8, bits);
        assert.strictEqual(Base64Url.encode(bytesOf(id)), id, "the one spelling of these bytes");
      }),
    );

    it.effect("never returns the same id twice", () =>
      Effect.gen(function* () {
        const entropy = yield* Entropy;
        const ids = yield* Effect.forEach(Array.from({ length: 5000 }), () => entropy.id(128));
        assert.strictEqual(new Set(ids).size, ids.length);
      }),
    );

    it.effect("returns every bit at random", () =>
      Effect.gen(function* () {
        const entropy = yield* Entropy;
        const samples = yield* Effect.forEach(Array.from({ length: 2000 }), () => Effect.map(entropy.id(128), bytesOf));
        for (let bit = 0; bit < 128; bit++) {
          const set = samples.filter((bytes) => ((bytes[bit >> 3]! >> (bit & 7)) & 1) === 1).length;
          assert.isAbove(set, 800, `bit ${bit} is set too seldom`);
          assert.isBelow(set, 1200, `bit ${bit} is set too often`);
        }
      }),
    );
  });
