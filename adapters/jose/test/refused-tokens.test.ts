import { createHmac } from "node:crypto";
import { assert, describe, it, layer } from "@effect/vitest";
import { type TokenRejected, Tokens } from "@postern/core/auth";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import type { JWTPayload } from "jose";
import { generateSigningKey, layer as joseLayer } from "../src/index.ts";
import { CLAIMS, HEADER, ISSUER, PAYLOAD, RFC_KEY, signed } from "./signing.ts";

type Reason = TokenRejected["reason"];

const base64url = (value: string | object) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const PUBLIC_BYTES = Buffer.from(RFC_KEY.x, "base64url");
const hmac = (header: object, secret: string | Buffer) => {
  const input = `${base64url({ ...HEADER, ...header })}.${base64url(PAYLOAD)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
};

const assertRefused = Effect.fnUntraced(function* (token: string, reason: Reason) {
  const error = yield* Effect.flip((yield* Tokens).verify("access", token));
  assert.deepInclude(error, { _tag: "TokenRejected", reason });
});

layer(joseLayer({ issuer: ISSUER, keys: [RFC_KEY] }))("tokens that jose refuses", (it) => {
  it.effect("accepts a token signed here with all claims valid, which proves the other tests", () =>
    Effect.gen(function* () {
      const token = yield* Effect.promise(() => signed());
      assert.deepStrictEqual(yield* (yield* Tokens).verify("access", token), CLAIMS);
    }),
  );

  it.effect.each<{ readonly what: string; readonly payload: JWTPayload; readonly reason: Reason }>([
    { what: "of another issuer", payload: { iss: "elsewhere" }, reason: "claims" },
    { what: "of no issuer", payload: { iss: undefined! }, reason: "claims" },
    { what: "for another audience", payload: { aud: "postern:refresh" }, reason: "claims" },
    { what: "for no audience", payload: { aud: undefined! }, reason: "claims" },
    { what: "without expiry", payload: { exp: undefined! }, reason: "claims" },
    { what: "with expiry in words", payload: { exp: "3600" as never }, reason: "claims" },
    { what: "with a fraction of a second", payload: { exp: 3600.5 }, reason: "claims" },
    { what: "without time of issue", payload: { iat: undefined! }, reason: "claims" },
    { what: "that are not good yet", payload: { nbf: 1 }, reason: "claims" },
    { what: "without subject", payload: { sub: undefined! }, reason: "claims" },
    { what: "with an empty subject", payload: { sub: "" }, reason: "claims" },
    { what: "with a subject that is no text", payload: { sub: 7 as never }, reason: "claims" },
    { what: "without token id", payload: { jti: undefined! }, reason: "claims" },
    { what: "with a token id that is no text", payload: { jti: ["token-1"] as never }, reason: "claims" },
    { what: "without session", payload: { sid: undefined }, reason: "claims" },
    { what: "with a session that is no text", payload: { sid: { id: "session-1" } }, reason: "claims" },
    { what: "expired a second ago", payload: { exp: -1 }, reason: "expired" },
    { what: "expired this second", payload: { exp: 0 }, reason: "expired" },
  ])("properly signed, but $what [S3.2-10]", ({ payload, reason }) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(0);
      yield* assertRefused(yield* Effect.promise(() => signed({}, payload)), reason);
    }),
  );

  it.effect.each<{ readonly header: object; readonly reason: Reason }>([
    { header: { typ: "rt+jwt" }, reason: "claims" },
    { header: { typ: "JWT" }, reason: "claims" },
    { header: { typ: undefined }, reason: "claims" },
    { header: { kid: "unknown" }, reason: "signature" },
    { header: { kid: undefined }, reason: "signature" },
    { header: { kid: "" }, reason: "signature" },
    { header: { kid: "__proto__" }, reason: "signature" },
    { header: { alg: "Ed25519" }, reason: "signature" },
    { header: { crit: ["exp"], exp: 3600 }, reason: "malformed" },
  ])("properly signed, but with header $header [S3.2-10]", ({ header, reason }) =>
    Effect.gen(function* () {
      yield* assertRefused(yield* Effect.promise(() => signed(header)), reason);
    }),
  );

  it.effect("signed with a key of the sender, in any header that refers to the key [S3.2-13]", () =>
    Effect.gen(function* () {
      const own = yield* generateSigningKey(RFC_KEY.kid);
      const { d: _, ...jwk } = own;
      const headers = [
        {},
        { jwk },
        { jku: "http://127.0.0.1:9/keys.json" },
        { x5u: "http://127.0.0.1:9/chain.pem" },
        { x5c: ["MIIB"] },
        { kid: "other", jwk: { ...jwk, kid: "other" } },
      ];
      for (const header of headers) {
        yield* assertRefused(yield* Effect.promise(() => signed(header, {}, own)), "signature");
      }
    }),
  );

  it.effect("without a signature, or with one that needs no secret", () =>
    Effect.gen(function* () {
      const payload = base64url(PAYLOAD);
      for (const alg of ["none", "None", "nOnE"]) {
        const header = base64url({ ...HEADER, alg });
        yield* assertRefused(`${header}.${payload}.`, "malformed");
        yield* assertRefused(`${header}.${payload}.${base64url("x")}`, "signature");
      }
      for (const secret of [PUBLIC_BYTES, RFC_KEY.x, JSON.stringify({ ...RFC_KEY, d: undefined }), ""]) {
        yield* assertRefused(hmac({ alg: "HS256" }, secret), "signature");
        yield* assertRefused(hmac({}, secret), "signature");
      }
    }),
  );

  it.effect("whose segments are not JSON objects", () =>
    Effect.gen(function* () {
      const [header, payload, signature] = (yield* Effect.promise(() => signed())).split(".");
      for (const odd of ["null", "[]", "7", '"text"', "{", "\u0000", "{}", '{"alg":7}', '{"alg":{}}', '{"crit":[]}']) {
        yield* assertRefused(`${base64url(odd)}.${payload}.${signature}`, "malformed");
        yield* assertRefused(`${header}.${base64url(odd)}.${signature}`, "signature");
      }
    }),
  );

  it.effect("longer than 4 KiB, though properly signed [S3.2-11]", () =>
    Effect.gen(function* () {
      const long = (length: number) => Effect.promise(() => signed({}, { pad: "x".repeat(length) }));
      const base = (yield* long(0)).length;
      const fits = yield* long(Math.floor(((4096 - base) * 3) / 4) - 3);
      const over = yield* long(Math.ceil(((4097 - base) * 3) / 4) + 3);
      assert.isAtMost(fits.length, 4096);
      assert.isAbove(over.length, 4096);
      yield* (yield* Tokens).verify("access", fits);
      yield* assertRefused(over, "malformed");
    }),
  );
});

describe("signing keys that are refused", () => {
  const secret = RFC_KEY.d;
  const another = "ICBXKwTJHEhnpnTbOXvHJRBhCiSUZr3Nn3bTTFQrc1A";

  it.effect.each<{ readonly keys: ReadonlyArray<unknown>; readonly message: string }>([
    { keys: [], message: "signing key 1: is missing" },
    { keys: [null], message: "signing key 1: kty, crv, kid, x, d missing or malformed" },
    { keys: [secret], message: "signing key 1: kty, crv, kid, x, d missing or malformed" },
    { keys: [{ ...RFC_KEY, d: undefined }], message: "signing key 1 (kid rfc8037): d missing or malformed" },
    { keys: [{ ...RFC_KEY, d: `${secret}A` }], message: "signing key 1 (kid rfc8037): d missing or malformed" },
    { keys: [{ ...RFC_KEY, kid: 7 }], message: "signing key 1: kid missing or malformed" },
    { keys: [{ ...RFC_KEY, crv: "X25519" }], message: "signing key 1 (kid rfc8037): crv missing or malformed" },
    { keys: [{ ...RFC_KEY, kty: "oct", k: secret }], message: "signing key 1 (kid rfc8037): kty missing or malformed" },
    { keys: [RFC_KEY, RFC_KEY], message: "signing key 2 (kid rfc8037): another key has this kid" },
    {
      keys: [{ ...RFC_KEY, kid: "swapped", d: another }],
      message: "signing key 1 (kid swapped): x and d are no key pair of Ed25519",
    },
  ])("$message", ({ keys, message }) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(Tokens, joseLayer({ issuer: ISSUER, keys })));
      assert.strictEqual(error._tag, "SigningKeyInvalid");
      assert.strictEqual(error.message, message);
      assert.notInclude(JSON.stringify(error) + String(error.stack), secret.slice(0, 12));
      assert.notInclude(JSON.stringify(error) + String(error.stack), another.slice(0, 12));
    }),
  );
});
