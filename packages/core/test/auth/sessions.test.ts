import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import {
  Authentication,
  AccountSessions,
  CredentialRelease,
  CredentialVault,
  LoginAttempts,
  type Session,
  Sessions,
  Tokens,
} from "../../src/auth/index.ts";
import { auth } from "../../src/auth/neighbours.ts";
import { type SessionStart, startBearerSession, startCookieSession } from "../../src/auth/session-state.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { noTransaction, readableHashes, readableIds } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ME = AccountId("me@postern.test");
const OTHER = AccountId("other@postern.test");

const start: SessionStart = { id: "s1", account: ME, client: { network: "192.0.2.1", userAgent: "test" } };
const refresh = { hash: "h", tokenId: "t", keyId: "k", issuedAt: NOW, expiresAt: NOW + 30 * DAY };
const bearer = startBearerSession(start, refresh, NOW);
const cookie = startCookieSession({ ...start, id: "s2" }, "hash of secret", NOW);

/** Sessions by their ids, the accounts whose credentials were released, and the accounts with a stored credential. */
const world = (
  sessions: ReadonlyArray<Session>,
  { kept = [ME], isDown = false }: { readonly kept?: ReadonlyArray<AccountId>; readonly isDown?: boolean } = {},
) => {
  const stored = new Map(sessions.map((session) => [session.id, session]));
  const released: Array<AccountId> = [];
  const removals: Array<readonly [number, number]> = [];
  const find = (isIt: (session: Session) => boolean) =>
    Effect.sync(() => Option.fromUndefinedOr([...stored.values()].find(isIt)));
  const layer = Layer.merge(Authentication.layer, AccountSessions.layer).pipe(
    Layer.provide([
      Layer.mock(Tokens, {
        publicKeys: { keys: [] },
        verify: (use, token) =>
          use === "access"
            ? Effect.succeed({
                account: token.endsWith("of other") ? OTHER : ME,
                sessionId: "s1",
                tokenId: "t1",
                issuedAt: NOW,
                expiresAt: NOW + 60 * MINUTE,
              })
            : Effect.die("no access token"),
      }),
      Layer.mock(Sessions, {
        insert: (session) => Effect.sync(() => void stored.set(session.id, session)),
        find: (id) => find((session) => session.id === id),
        findByCookie: (hash) => find((session) => session.kind === "cookie" && session.cookieHash === hash),
        change: (id, decide) =>
          isDown
            ? new StoreUnavailable({ detail: "away" })
            : Effect.sync(() => {
                const [told, after] = decide(stored.get(id)!);
                if (after === null) stored.delete(id);
                else stored.set(id, after);
                return Option.some(told);
              }),
        list: (account, now) =>
          Effect.sync(() =>
            [...stored.values()].filter((session) => session.account === account && now < session.expiresAt),
          ),
        remove: (account, id) => Effect.sync(() => stored.get(id)?.account === account && stored.delete(id)),
        removeExpired: (now, limit) =>
          Effect.sync(() => {
            removals.push([now, limit]);
            const expired = [...stored.values()].filter(({ expiresAt }) => expiresAt <= now).slice(0, limit);
            for (const { id } of expired) stored.delete(id);
            return expired.map(({ account }) => account);
          }),
      }),
      readableHashes,
      Layer.mock(CredentialVault, {
        find: (account) =>
          Effect.succeed(
            kept.includes(account)
              ? Option.some({
                  _tag: "Password" as const,
                  username: account,
                  password: Redacted.make("x"),
                  version: 1,
                  rejectedAt: null,
                })
              : Option.none(),
          ),
      }),
      readableIds,
      noTransaction,
      Layer.succeed(CredentialRelease, { release: (account) => Effect.sync(() => void released.push(account)) }),
    ]),
  );
  const run = <A, E>(
    now: number,
    body: (authentication: Authentication["Service"], sessions: AccountSessions["Service"]) => Effect.Effect<A, E>,
  ) =>
    Effect.andThen(
      TestClock.setTime(now),
      Effect.provide(
        Effect.gen(function* () {
          return yield* body(yield* Authentication, yield* AccountSessions);
        }),
        layer,
      ),
    );
  return { stored, released, removals, run };
};

/** The name of the error that an effect fails with, or "accepted". */
const told = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onSuccess: () => "accepted", onFailure: ({ _tag }) => _tag });

describe("an access token", () => {
  it.effect("identifies a session of its account until the session expires or ends [S3.4-3]", () =>
    Effect.gen(function* () {
      const at = (now: number, token = "token") =>
        world([bearer]).run(now, ({ byAccessToken }) => told(byAccessToken(token)));
      assert.strictEqual(yield* at(NOW + 30 * DAY - 1), "accepted");
      assert.strictEqual(yield* at(NOW + 30 * DAY), "TokenRejected");
      assert.strictEqual(yield* at(NOW, "token of other"), "TokenRejected");
      const ended = world([]).run(NOW, ({ byAccessToken }) => told(byAccessToken("token")));
      assert.strictEqual(yield* ended, "TokenRejected");
    }),
  );

  it.effect("records the use of its session every five minutes, and works if that fails", () =>
    Effect.gen(function* () {
      const usedAt = (now: number, isDown = false) => {
        const { run, stored } = world([bearer], { isDown });
        return Effect.map(
          run(now, ({ byAccessToken }) => told(byAccessToken("token"))),
          (answer) => [answer, stored.get("s1")?.lastUsedAt],
        );
      };
      assert.deepStrictEqual(yield* usedAt(NOW + 5 * MINUTE - 1), ["accepted", NOW]);
      assert.deepStrictEqual(yield* usedAt(NOW + 5 * MINUTE), ["accepted", NOW + 5 * MINUTE]);
      assert.deepStrictEqual(yield* usedAt(NOW + 5 * MINUTE, true), ["accepted", NOW]);
    }),
  );
});

it.effect("a cookie identifies its session by its hash, and extends it [S3.5-3]", () =>
  Effect.gen(function* () {
    const { run, stored } = world([bearer, cookie]);
    const now = NOW + 60 * MINUTE;
    assert.strictEqual(yield* run(now, ({ byCookie }) => told(byCookie("another"))), "TokenRejected");
    assert.strictEqual(yield* run(now, ({ byCookie }) => told(byCookie("secret"))), "accepted");
    assert.strictEqual(stored.get("s2")?.expiresAt, now + DAY);
  }),
);

it.effect("a session is live for its own account until it expires", () =>
  Effect.gen(function* () {
    const live = (account: AccountId, id: string, now: number) =>
      world([bearer]).run(now, ({ isLive }) => isLive(account, id));
    assert.isTrue(yield* live(ME, "s1", NOW + 30 * DAY - 1));
    assert.isFalse(yield* live(ME, "s1", NOW + 30 * DAY));
    assert.isFalse(yield* live(OTHER, "s1", NOW));
    assert.isFalse(yield* live(ME, "s9", NOW));
  }),
);

describe("the session of the program that embeds the service", () => {
  it.effect("begins at the first use of an account with a credential, one session for each account", () =>
    Effect.gen(function* () {
      const { run, stored } = world([]);
      for (const account of [ME, ME, OTHER]) yield* run(NOW, ({ byHost }) => byHost(account));
      assert.deepStrictEqual(
        [...stored.values()],
        [
          {
            id: `host_acc_${ME}`,
            account: ME,
            kind: "host",
            client: { network: "", userAgent: "" },
            createdAt: NOW,
            lastUsedAt: NOW,
            expiresAt: NOW + 30 * DAY,
            absoluteExpiresAt: NOW + 30 * DAY,
          },
        ],
      );
    }),
  );

  it.effect(
    "is extended by 30 days with each use, and begins again if it has ended and is not erased yet [S3.5-13]",
    () =>
      Effect.gen(function* () {
        const { run, stored } = world([]);
        const use = (now: number) => run(now, ({ byHost }) => byHost(ME));
        yield* use(NOW);
        yield* use(NOW + 29 * DAY);
        assert.strictEqual([...stored.values()][0]?.expiresAt, NOW + 59 * DAY);
        yield* use(NOW + 90 * DAY);
        const [again] = [...stored.values()];
        assert.deepStrictEqual([again?.createdAt, again?.expiresAt], [NOW + 90 * DAY, NOW + 120 * DAY]);
      }),
  );
});

describe("the sessions of an account", () => {
  it.effect("are listed while they are live [S3.5-11]", () =>
    Effect.gen(function* () {
      const list = (now: number) =>
        world([bearer, cookie]).run(now, (_, sessions) => Effect.map(sessions.page(ME, {}), ({ items }) => items));
      assert.deepStrictEqual(
        (yield* list(NOW)).map(({ id }) => id),
        ["s1", "s2"],
      );
      assert.deepStrictEqual(
        (yield* list(NOW + DAY)).map(({ id }) => id),
        ["s1"],
      );
    }),
  );

  it.effect("are found by their account while they are live", () =>
    Effect.gen(function* () {
      const find = (account: AccountId, id: string, now = NOW) =>
        world([bearer]).run(now, (_, sessions) =>
          Effect.match(sessions.find(account, id), { onSuccess: (found) => found, onFailure: ({ _tag }) => _tag }),
        );
      assert.deepStrictEqual(yield* find(ME, "s1", NOW + 30 * DAY - 1), bearer);
      assert.strictEqual(yield* find(ME, "s1", NOW + 30 * DAY), "SessionNotFound");
      assert.strictEqual(yield* find(OTHER, "s1"), "SessionNotFound");
      assert.strictEqual(yield* find(ME, "s9"), "SessionNotFound");
    }),
  );

  it.effect("are ended by their account alone, which releases its credential [S3.4-3]", () =>
    Effect.gen(function* () {
      const { run, stored, released } = world([bearer]);
      const end = (account: AccountId) => run(NOW, (_, sessions) => told(sessions.end(account, "s1")));
      assert.strictEqual(yield* end(OTHER), "SessionNotFound");
      assert.deepStrictEqual([stored.size, ...released], [1]);
      assert.strictEqual(yield* end(ME), "accepted");
      assert.deepStrictEqual([stored.size, ...released], [0, ME]);
    }),
  );

  it.effect("are removed after their expiry in batches of 200, each of which releases an account once", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 450 }, (_, n) => ({ ...cookie, id: `c${n}`, account: n < 200 ? OTHER : ME }));
      const { run, stored, released, removals } = world([bearer, ...many]);
      yield* run(NOW + DAY, (_, sessions) => sessions.sweep);
      assert.deepStrictEqual([...stored.keys()], ["s1"]);
      assert.deepStrictEqual(released, [OTHER, ME, ME]);
      assert.deepStrictEqual(
        removals,
        [1, 2, 3].map(() => [NOW + DAY, 200]),
      );
    }),
  );
});

it.effect("removing an account erases its sessions, its credential and its failed sign-ins [S3.7-7]", () =>
  Effect.gen(function* () {
    const erased: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void erased.push(what));
    const ports = [
      Layer.mock(Sessions, {
        removeAll: (account) => note(`sessions of ${account}`),
        hasLive: (account, now) => Effect.succeed(account === ME && now === NOW),
      }),
      Layer.mock(CredentialVault, {
        eraseUnless: (account, inUse) =>
          Effect.flatMap(inUse, (isUsed) => Effect.as(note(`credential of ${account}, used: ${isUsed}`), !isUsed)),
      }),
      Layer.mock(LoginAttempts, { erase: (account) => note(`attempts of ${account}`) }),
    ] as const;
    const { erase, needsCredential } = yield* Effect.provide(auth.data, Layer.mergeAll(...ports));
    yield* erase(ME);
    assert.deepStrictEqual(erased, [`sessions of ${ME}`, `credential of ${ME}, used: false`, `attempts of ${ME}`]);
    assert.isTrue(yield* needsCredential(ME, NOW));
    assert.isFalse(yield* needsCredential(ME, NOW + 1));
    assert.isFalse(yield* needsCredential(OTHER, NOW));
  }),
);
