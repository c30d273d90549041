import { assert, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import {
  CredentialRelease,
  type Session,
  Sessions,
  SessionTokens,
  type TokenClaims,
  Tokens,
} from "../../src/auth/index.ts";
import { startBearerSession, startCookieSession } from "../../src/auth/session-state.ts";
import type { BearerSession } from "../../src/auth/Session.ts";
import { AccountId } from "../../src/shared/index.ts";
import { noTransaction, numberedIds, readableHashes } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const ME = AccountId("me@postern.test");
const START = { id: "s1", account: ME, client: { network: "192.0.2.1", userAgent: "test" } };

/** Ids of 128 bits. */
const ID_1 = "id1".padEnd(22, "_");
const ID_2 = "id2".padEnd(22, "_");

const hashOf = (token: string) => `hash of ${token}`;
const textOf = (use: string, { sessionId, tokenId, expiresAt }: TokenClaims) =>
  `${use} ${tokenId} of ${sessionId} until ${expiresAt}`;

const first = { hash: hashOf("first"), tokenId: "t0", keyId: "k1", issuedAt: NOW, expiresAt: NOW + 30 * DAY };
const bearer = startBearerSession(START, first, NOW);

/** A session whose clients present refresh tokens; the accounts whose credentials were released. */
const world = (session: Session | undefined, { claims = ME, isKeyGone = false } = {}) => {
  let stored = session;
  const released: Array<AccountId> = [];
  const layer = SessionTokens.layer.pipe(
    Layer.provide([
      Layer.mock(Tokens, {
        publicKeys: { keys: [] },
        verify: () => Effect.succeed({ account: claims, sessionId: "s1", tokenId: "", issuedAt: 0, expiresAt: 0 }),
        issue: (use, issued) => Effect.succeed({ token: textOf(use, issued), keyId: "k2" }),
        reissue: (use, issued) => Effect.succeed(isKeyGone ? Option.none() : Option.some(textOf(use, issued))),
      }),
      Layer.mock(Sessions, {
        find: () => Effect.sync(() => Option.fromUndefinedOr(stored)),
        change: (_, decide) =>
          Effect.sync(() => {
            if (stored === undefined) return Option.none();
            const [told, after] = decide(stored);
            stored = after ?? undefined;
            return Option.some(told);
          }),
      }),
      readableHashes,
      numberedIds,
      noTransaction,
      Layer.succeed(CredentialRelease, { release: (account) => Effect.sync(() => void released.push(account)) }),
    ]),
  );
  /** Presents tokens one after another, each at a time after the start of the session; returns the answers. */
  const present = (...tokens: ReadonlyArray<readonly [string, number]>) =>
    Effect.provide(
      Effect.forEach(tokens, ([token, after]) =>
        Effect.andThen(
          TestClock.setTime(NOW + after),
          Effect.match(
            Effect.flatMap(SessionTokens, ({ exchange }) => exchange(token)),
            { onSuccess: (pair) => pair, onFailure: (error) => ("reason" in error ? error.reason : error._tag) },
          ),
        ),
      ),
      layer,
    );
  return { present, released, stored: () => stored as BearerSession | undefined };
};

it.effect("a refresh token returns an access token of an hour, and its successor of 30 days [S3.3-2] [S3.2-8]", () =>
  Effect.gen(function* () {
    const { present, stored, released } = world(bearer);
    const successor = `refresh ${ID_1} of s1 until ${NOW + 40 * DAY}`;
    assert.deepStrictEqual(yield* present(["first", 10 * DAY]), [
      {
        token: `access ${ID_2} of s1 until ${NOW + 10 * DAY + 3600 * SECOND}`,
        expiresIn: 3600,
        refreshToken: successor,
      },
    ]);
    assert.deepStrictEqual(stored()?.refresh, {
      current: {
        hash: hashOf(successor),
        tokenId: ID_1,
        keyId: "k2",
        issuedAt: NOW + 10 * DAY,
        expiresAt: NOW + 40 * DAY,
      },
      previous: { hash: hashOf("first"), rotatedAt: NOW + 10 * DAY },
    });
    assert.deepStrictEqual(released, []);
  }),
);

it.effect(
  "a replaced refresh token returns the identical successor for 30 seconds, with a new access token [S3.3-5]",
  () =>
    Effect.gen(function* () {
      const { present } = world(bearer);
      const [one, again] = yield* present(["first", 0], ["first", 30 * SECOND]);
      if (typeof one !== "object" || typeof again !== "object") return assert.fail("refused");
      assert.strictEqual(again.refreshToken, one.refreshToken);
      assert.notStrictEqual(again.token, one.token);
    }),
);

it.effect("the successor is lost if the key that signed it was removed", () =>
  Effect.gen(function* () {
    const [, again] = yield* world(bearer, { isKeyGone: true }).present(["first", 0], ["first", SECOND]);
    assert.strictEqual(again, "signature");
  }),
);

it.effect("any other second use ends the session and releases its credential [S3.3-6]", () =>
  Effect.gen(function* () {
    const { present, stored, released } = world(bearer);
    const [, reused, after] = yield* present(["first", 0], ["first", 30 * SECOND + 1], ["first", 31 * SECOND]);
    assert.deepStrictEqual([reused, after], ["RefreshReused", "session_ended"]);
    assert.isUndefined(stored());
    assert.deepStrictEqual(released, [ME]);
  }),
);

it.effect.each<readonly [string, Session | undefined, AccountId]>([
  ["that has ended", undefined, ME],
  ["of another account", bearer, AccountId("other@postern.test")],
  ["of a browser", startCookieSession(START, "hash", NOW), ME],
])("a refresh token of a session %s is refused", ([, session, claims]) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* world(session, { claims }).present(["first", 0]), ["session_ended"]);
  }),
);
