import { createPrivateKey, sign } from "node:crypto";
import { assert, describe, it } from "@effect/vitest";
import { Tokens } from "@postern/core/auth";
import { tokensContract } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { generateSigningKey, layer } from "../src/index.ts";
import { CLAIMS, HEADER, ISSUER, PAYLOAD, RFC_KEY } from "./signing.ts";

tokensContract(
  "Tokens (jose)",
  Layer.unwrap(Effect.map(generateSigningKey("first"), (key) => layer({ issuer: ISSUER, keys: [key] }))),
);

const tokensWith = (...keys: ReadonlyArray<unknown>) => Effect.provide(Tokens, layer({ issuer: ISSUER, keys }));
const jsonOf = (segment: string | undefined) => JSON.parse(Buffer.from(segment!, "base64url").toString());
const reasonOf = (tokens: Tokens["Service"], token: string) =>
  Effect.map(Effect.flip(tokens.verify("access", token)), ({ reason }) => reason);

describe("Tokens of jose", () => {
  it.effect.each([
    { use: "access", typ: "at+jwt", aud: "postern:access" },
    { use: "refresh", typ: "rt+jwt", aud: "postern:refresh" },
  ] as const)("are $typ for $aud, signed as RFC 8037 says [S3.2-7] [S1.3-6]", ({ use, typ, aud }) =>
    Effect.gen(function* () {
      const [header, payload, signature] = (yield* (yield* tokensWith(RFC_KEY)).issue(use, CLAIMS)).token.split(".");
      assert.deepStrictEqual(jsonOf(header), { ...HEADER, typ });
      assert.deepStrictEqual(jsonOf(payload), { ...PAYLOAD, aud });
      const key = createPrivateKey({ key: RFC_KEY, format: "jwk" });
      assert.strictEqual(signature, sign(null, Buffer.from(`${header}.${payload}`), key).toString("base64url"));
    }),
  );

  it.effect("are the same for the same claims and key, in every process", () =>
    Effect.gen(function* () {
      const one = yield* tokensWith(RFC_KEY);
      const two = yield* tokensWith(RFC_KEY, yield* generateSigningKey("older"));
      for (const use of ["access", "refresh"] as const) {
        const { token } = yield* one.issue(use, CLAIMS);
        assert.strictEqual((yield* one.issue(use, { ...CLAIMS })).token, token);
        assert.strictEqual((yield* two.issue(use, CLAIMS)).token, token);
      }
    }),
  );

  it.effect("are signed with the first key and verified with all [S1.3-18]", () =>
    Effect.gen(function* () {
      const older = yield* generateSigningKey("older");
      const newer = yield* generateSigningKey("newer");
      const before = yield* tokensWith(older);
      const after = yield* tokensWith(newer, older);
      const { token: old } = yield* before.issue("access", CLAIMS);
      const { token: fresh } = yield* after.issue("access", CLAIMS);
      assert.strictEqual(jsonOf(fresh.split(".")[0]).kid, "newer");
      assert.deepStrictEqual(yield* after.verify("access", old), CLAIMS);
      assert.deepStrictEqual(yield* after.verify("access", fresh), CLAIMS);
      assert.strictEqual(yield* reasonOf(before, fresh), "signature");
      assert.strictEqual(yield* reasonOf(yield* tokensWith(newer), old), "signature");
    }),
  );

  it.effect("publish the public members of each key and no others [S3.2-9]", () =>
    Effect.gen(function* () {
      const older = yield* generateSigningKey("older");
      const { publicKeys } = yield* tokensWith({ ...RFC_KEY, key_ops: ["sign"], ext: true, use: "sig" }, older);
      const rest = { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" };
      assert.deepStrictEqual(publicKeys, {
        keys: [
          { ...rest, kid: RFC_KEY.kid, x: RFC_KEY.x },
          { ...rest, kid: "older", x: older.x },
        ],
      });
    }),
  );

  it.effect("expire by the Clock alone, at the exact second", () =>
    Effect.gen(function* () {
      const tokens = yield* tokensWith(RFC_KEY);
      const { token } = yield* tokens.issue("access", { ...CLAIMS, expiresAt: 3_600_999 });
      yield* TestClock.setTime(3_599_999);
      yield* tokens.verify("access", token);
      yield* TestClock.setTime(3_600_000);
      assert.strictEqual(yield* reasonOf(tokens, token), "expired");
      yield* TestClock.setTime(4_102_444_800_000);
      const later = { ...CLAIMS, issuedAt: 4_102_444_800_000, expiresAt: 4_102_448_400_000 };
      assert.deepStrictEqual(yield* tokens.verify("access", (yield* tokens.issue("access", later)).token), later);
    }),
  );
});
