import { assert, layer } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type TokenClaims, TokenRejected, Tokens, type TokenUse } from "@postern/core/auth";
import { Clock, Effect, type Layer, Option, Result } from "effect";
import * as Base64Url from "effect/encoding/Base64Url";
import { TestClock } from "effect/testing";
import { errorOf } from "../error-of.ts";

const HOUR = 3_600_000;
const USES: ReadonlyArray<TokenUse> = ["access", "refresh"];
const other = (use: TokenUse): TokenUse => (use === "access" ? "refresh" : "access");

/** Returns new claims that are valid for an hour. */
const newClaims = Effect.map(Clock.currentTimeMillis, (now): TokenClaims => ({
  account: AccountId("me@postern.test"),
  sessionId: globalThis.crypto.randomUUID(),
  tokenId: globalThis.crypto.randomUUID(),
  issuedAt: now,
  expiresAt: now + HOUR,
}));

const wholeSeconds = (claims: TokenClaims): TokenClaims => ({
  ...claims,
  issuedAt: Math.floor(claims.issuedAt / 1000) * 1000,
  expiresAt: Math.floor(claims.expiresAt / 1000) * 1000,
});

const rejection = Effect.fnUntraced(function* (use: TokenUse, token: string) {
  const error = yield* errorOf((yield* Tokens).verify(use, token));
  assert.instanceOf(error, TokenRejected);
  return error.reason;
});

const assertForged = Effect.fnUntraced(function* (use: TokenUse, token: string) {
  assert.include(["malformed", "signature"], yield* rejection(use, token), token);
});

const json = (segment: string): Record<string, unknown> =>
  JSON.parse(Result.getOrThrow(Base64Url.decodeString(segment)));

const LETTERS = ["A", "B", "Q", "w", "_", "."];

/** The contract of `Tokens` (spec 3). */
export const tokensContract = (name: string, live: Layer.Layer<Tokens, unknown>) =>
  layer(live)(name, (it) => {
    for (const use of USES) {
      it.effect(`verifies a token (${use}) and returns its claims, times in whole seconds`, () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(1_900_000_000_123);
          const tokens = yield* Tokens;
          const claims = yield* newClaims;
          const { token } = yield* tokens.issue(use, claims);
          for (let times = 0; times < 3; times++) {
            assert.deepStrictEqual(yield* tokens.verify(use, token), wholeSeconds(claims));
          }
          const { iat, exp } = json(token.split(".")[1]!);
          assert.deepStrictEqual([iat, exp], [1_900_000_000, 1_900_003_600]);
        }),
      );

      it.effect(`refuses a token (${use}) for the other use, before and after it was verified`, () =>
        Effect.gen(function* () {
          const tokens = yield* Tokens;
          const { token } = yield* tokens.issue(use, yield* newClaims);
          assert.strictEqual(yield* rejection(other(use), token), "claims");
          yield* tokens.verify(use, token);
          assert.strictEqual(yield* rejection(other(use), token), "claims");
          yield* tokens.verify(use, token);
        }),
      );

      it.effect(`refuses a token (${use}) from the moment it expires, verified before or not`, () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(2_000_000_000_000);
          const tokens = yield* Tokens;
          const { token: known } = yield* tokens.issue(use, yield* newClaims);
          const { token: unknown } = yield* tokens.issue(use, yield* newClaims);
          yield* TestClock.adjust(HOUR - 1);
          yield* tokens.verify(use, known);
          yield* TestClock.adjust(1);
          assert.strictEqual(yield* rejection(use, known), "expired");
          assert.strictEqual(yield* rejection(use, unknown), "expired");
          yield* TestClock.adjust(30 * 24 * HOUR);
          assert.strictEqual(yield* rejection(use, known), "expired");
        }),
      );

      it.effect(`refuses a token (${use}) with any of its characters changed or missing`, () =>
        Effect.gen(function* () {
          const tokens = yield* Tokens;
          const { token } = yield* tokens.issue(use, yield* newClaims);
          yield* tokens.verify(use, token);
          for (let position = 0; position < token.length; position++) {
            const [before, after] = [token.slice(0, position), token.slice(position + 1)];
            yield* assertForged(use, before + after);
            for (const letter of LETTERS) {
              if (letter !== token[position]) yield* assertForged(use, before + letter + after);
            }
          }
          yield* tokens.verify(use, token);
        }),
      );
    }

    it.effect("refuses the last character in each of its other spellings [S3.2-12]", () =>
      Effect.gen(function* () {
        const { token } = yield* (yield* Tokens).issue("access", yield* newClaims);
        for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
          if (!token.endsWith(letter)) yield* assertForged("access", token.slice(0, -1) + letter);
        }
      }),
    );

    it.effect("refuses a token composed of two", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens;
        const [header, payload, signature] = (yield* tokens.issue("access", yield* newClaims)).token.split(".");
        const [, otherPayload, otherSignature] = (yield* tokens.issue("access", yield* newClaims)).token.split(".");
        assert.strictEqual(yield* rejection("access", `${header}.${payload}.${otherSignature}`), "signature");
        assert.strictEqual(yield* rejection("access", `${header}.${otherPayload}.${signature}`), "signature");
      }),
    );

    it.effect("refuses a token with the algorithm none or another one", () =>
      Effect.gen(function* () {
        const [header, payload, signature] = (yield* (yield* Tokens).issue("access", yield* newClaims)).token.split(
          ".",
        );
        for (const alg of ["none", "None", "NONE", "HS256", "ES256", "RS256", ""]) {
          const unsigned = Base64Url.encode(JSON.stringify({ ...json(header!), alg }));
          yield* assertForged("access", `${unsigned}.${payload}.`);
          yield* assertForged("access", `${unsigned}.${payload}.${signature}`);
        }
      }),
    );

    it.effect("refuses other text as malformed", () =>
      Effect.gen(function* () {
        const { token } = yield* (yield* Tokens).issue("access", yield* newClaims);
        const [header, payload, signature] = token.split(".");
        const noTokens = [
          "",
          " ",
          "a",
          "a.b",
          "..",
          "...",
          "a.b.c",
          "é.é.é",
          "\u0000",
          "null",
          ` ${token}`,
          `${token}\n`,
          `${token}=`,
          `${token}.${signature}`,
          `${header}.${payload}`,
          `${header}.${payload}.`,
          `.${payload}.${signature}`,
          `${header}..${signature}`,
          `Bearer ${token}`,
          `${"A".repeat(5000)}.${payload}.${signature}`,
          `${header}.${payload}.${"A".repeat(100_000)}`,
        ];
        for (const text of noTokens) {
          for (const use of USES) assert.strictEqual(yield* rejection(use, text), "malformed", text.slice(0, 200));
        }
      }),
    );

    it.effect("accepts the longest account and ids", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens;
        const label = "d".repeat(63);
        const claims = wholeSeconds({
          ...(yield* newClaims),
          account: AccountId(`${"💌".repeat(64)}@${label}.${label}.${label}.${"d".repeat(56)}.test`),
          sessionId: "s".repeat(86),
          tokenId: "t".repeat(86),
        });
        for (const use of USES) {
          assert.deepStrictEqual(yield* tokens.verify(use, (yield* tokens.issue(use, claims)).token), claims);
        }
      }),
    );

    it.effect("publishes the public key of each token and nothing private", () =>
      Effect.gen(function* () {
        const { issue, publicKeys } = yield* Tokens;
        const published = JSON.parse(JSON.stringify(publicKeys));
        assert.deepStrictEqual(published, publicKeys, "plain JSON");
        assert.isNotEmpty(published.keys);
        for (const key of published.keys) {
          assert.isString(key.kty);
          for (const secret of ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]) assert.notProperty(key, secret);
        }
        for (const use of USES) {
          const { kid } = json((yield* issue(use, yield* newClaims)).token.split(".")[0]!);
          assert.lengthOf(
            published.keys.filter((key: Record<string, unknown>) => key["kid"] === kid),
            1,
          );
        }
      }),
    );

    for (const use of USES) {
      it.effect(`reissues the same token (${use}) under its key, and none under another key`, () =>
        Effect.gen(function* () {
          const tokens = yield* Tokens;
          const claims = yield* newClaims;
          const { token, keyId } = yield* tokens.issue(use, claims);
          yield* TestClock.adjust(30_000);
          assert.deepStrictEqual(yield* tokens.reissue(use, claims, keyId), Option.some(token));
          assert.deepStrictEqual(yield* tokens.reissue(use, claims, `${keyId}x`), Option.none());
          assert.notDeepEqual(yield* tokens.reissue(other(use), claims, keyId), Option.some(token));
        }),
      );
    }
  });
