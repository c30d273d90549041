import { assert, layer } from "@effect/vitest";
import { Hmac } from "@postern/core/webhooks";
import { Effect, type Layer } from "effect";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const text = (text: string) => Uint8Array.from(Buffer.from(text));

/** RFC 4231, test cases 1, 2, 3, 4, 6 and 7. */
const VECTORS = [
  [bytes("0b".repeat(20)), text("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
  [
    text("Jefe"),
    text("what do ya want for nothing?"),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [bytes("aa".repeat(20)), bytes("dd".repeat(50)), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"],
  [
    bytes("0102030405060708090a0b0c0d0e0f10111213141516171819"),
    bytes("cd".repeat(50)),
    "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
  ],
  [
    bytes("aa".repeat(131)),
    text("Test Using Larger Than Block-Size Key - Hash Key First"),
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
  [
    bytes("aa".repeat(131)),
    text(
      "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
    ),
    "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
  ],
] as const;

/** The contract of `Hmac` (RFC 2104). */
export const hmacContract = (name: string, live: Layer.Layer<Hmac>) =>
  layer(live)(name, (it) => {
    it.effect.each(VECTORS)("agrees with RFC 4231 for a key of %o", ([key, message, mac]) =>
      Effect.gen(function* () {
        const { sha256 } = yield* Hmac;
        const sign = sha256(key);
        assert.strictEqual(Buffer.from(sign(message)).toString("hex"), mac);
        const parts = [message.subarray(0, 3), new Uint8Array(), message.subarray(3)];
        assert.strictEqual(Buffer.from(sign(...parts)).toString("hex"), mac, "in parts");
        assert.strictEqual(Buffer.from(sign(message)).toString("hex"), mac, "again");
      }),
    );
  });
