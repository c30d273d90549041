import { assert, layer } from "@effect/vitest";
import { Digest } from "@postern/core/shared";
import { Effect, type Layer, Stream } from "effect";

/** FIPS 180-4: the examples of NIST for SHA-256, the last one a million letters. */
const VECTORS = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
] as const;

/** The contract of `Digest` (FIPS 180-4). */
export const digestContract = (name: string, live: Layer.Layer<Digest>) =>
  layer(live)(name, (it) => {
    it.effect.each(VECTORS)("agrees with FIPS 180-4 for %s", ([text, hash]) =>
      Effect.gen(function* () {
        const { sha256 } = yield* Digest;
        const bytes = new TextEncoder().encode(text);
        const parts = [bytes.subarray(0, 1), new Uint8Array(), bytes.subarray(1)];
        const hashed = sha256(Stream.fromIterable(parts));
        assert.strictEqual(Buffer.from(yield* hashed, "base64url").toString("hex"), hash);
        assert.strictEqual(yield* hashed, yield* sha256(Stream.make(bytes)), "again, in one part");
        assert.notInclude(yield* hashed, "=");
      }),
    );

    it.effect("fails with the stream", () =>
      Effect.gen(function* () {
        const { sha256 } = yield* Digest;
        const broken = Stream.concat(Stream.make(new Uint8Array(1)), Stream.fail("broken"));
        assert.strictEqual(yield* Effect.flip(sha256(broken)), "broken");
      }),
    );
  });
