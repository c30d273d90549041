import { assert, layer } from "@effect/vitest";
import { AccountId, type Transaction } from "@postern/core/shared";
import { type Session, Sessions } from "@postern/core/auth";
import { Effect, Fiber, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { besideTransaction } from "../beside-transaction.ts";
import { newBearerSession, newCookieSession, newHostSession } from "../../fixtures/new-session.ts";

const insert = Effect.fnUntraced(function* <S extends Session>(session: S) {
  yield* (yield* Sessions).insert(session);
  return session;
});

const assertFound = Effect.fnUntraced(function* (session: Session) {
  const sessions = yield* Sessions;
  assert.deepStrictEqual(yield* sessions.find(session.id), Option.some(session));
  if (session.kind === "cookie") {
    assert.deepStrictEqual(yield* sessions.findByCookie(session.cookieHash), Option.some(session));
  }
});

const assertGone = Effect.fnUntraced(function* (session: Session) {
  const sessions = yield* Sessions;
  assert.deepStrictEqual(yield* sessions.find(session.id), Option.none());
  if (session.kind === "cookie") {
    assert.deepStrictEqual(yield* sessions.findByCookie(session.cookieHash), Option.none());
  }
  assert.notInclude(
    (yield* sessions.list(session.account, 0, 1_000)).map(({ id }) => id),
    session.id,
  );
});

const rotateTokens = (session: Extract<Session, { kind: "bearer" }>): Session => ({
  ...session,
  lastUsedAt: session.lastUsedAt + 1,
  expiresAt: session.expiresAt + 7,
  refresh: {
    current: { ...session.refresh.current, hash: "next", tokenId: "t2", expiresAt: session.expiresAt + 7 },
    previous: { hash: session.refresh.current.hash, rotatedAt: 1_900_000_000_999 },
  },
});

/** The contract of `Sessions` (spec 3). */
export const sessionsContract = (name: string, live: Layer.Layer<Sessions | Transaction, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("finds a session of each kind as it was inserted", () =>
      Effect.gen(function* () {
        yield* assertFound(yield* insert(yield* newBearerSession));
        yield* assertFound(yield* insert(rotateTokens(yield* newBearerSession)));
        yield* assertFound(yield* insert(yield* newCookieSession));
        yield* assertFound(yield* insert(yield* newHostSession));
      }),
    );

    it.effect("keeps a session that is inserted again", () =>
      Effect.gen(function* () {
        const session = yield* insert(yield* newHostSession);
        yield* insert({ ...session, lastUsedAt: session.lastUsedAt + 1 });
        yield* assertFound(session);
      }),
    );

    it.effect("tells whether an account has a session that has not expired", () =>
      Effect.gen(function* () {
        const { hasLive } = yield* Sessions;
        const bearer = yield* newBearerSession;
        const { account, expiresAt, absoluteExpiresAt } = bearer;
        assert.isFalse(yield* hasLive(account, 0));
        yield* insert(bearer);
        assert.isTrue(yield* hasLive(account, expiresAt - 1));
        assert.isFalse(yield* hasLive(account, expiresAt));
        yield* insert({ ...(yield* newCookieSession), account, expiresAt: absoluteExpiresAt + 9, absoluteExpiresAt });
        assert.isTrue(yield* hasLive(account, absoluteExpiresAt - 1));
        assert.isFalse(yield* hasLive(account, absoluteExpiresAt));
        assert.isFalse(yield* hasLive(yield* freshAccount, 0));
      }),
    );

    it.effect("finds none by an unknown id or cookie", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const { id, cookieHash } = yield* insert(yield* newCookieSession);
        for (const [find, known] of [
          [sessions.find, id],
          [sessions.findByCookie, cookieHash],
        ] as const) {
          const strangers = ["", "%", "_", "\0", `${known}\0`, known.toLowerCase(), known.toUpperCase()];
          strangers.push(`${known} `, ` ${known}`, `${known}x`, known.slice(0, -1));
          for (const stranger of strangers) {
            assert.deepStrictEqual(yield* find(stranger), Option.none(), JSON.stringify(stranger));
          }
        }
        assert.deepStrictEqual(yield* sessions.find(cookieHash), Option.none());
        assert.deepStrictEqual(yield* sessions.findByCookie(id), Option.none());
      }),
    );

    it.effect("finds many sessions concurrently", () =>
      Effect.gen(function* () {
        const all = yield* Effect.all(Array.from({ length: 40 }, () => Effect.flatMap(newBearerSession, insert)));
        const asked = [...all, ...all];
        const sessions = yield* Sessions;
        const found = yield* Effect.forEach(asked, ({ id }) => sessions.find(id), { concurrency: "unbounded" });
        assert.deepStrictEqual(found, asked.map(Option.some));
      }),
    );

    it.effect("lists the sessions of one account, most recent first", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const first = yield* insert(yield* newBearerSession);
        const second = yield* insert({
          ...(yield* newCookieSession),
          account: first.account,
          createdAt: first.createdAt + 1,
        });
        yield* insert({ ...(yield* newBearerSession), account: AccountId(`other-${first.account}`) });
        assert.deepStrictEqual(yield* sessions.list(first.account, 0, 10), [second, first]);
        assert.deepStrictEqual(yield* sessions.list(first.account, 0, 1), [second]);
        assert.deepStrictEqual(yield* sessions.list(yield* freshAccount, 0, 10), []);
      }),
    );

    it.effect("lists only sessions that have not expired", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* insert(yield* newCookieSession);
        const { account, expiresAt } = session;
        assert.deepStrictEqual(yield* sessions.list(account, expiresAt - 1, 10), [session]);
        assert.deepStrictEqual(yield* sessions.list(account, expiresAt, 10), []);
      }),
    );

    it.effect("lists each session after a place once, also those of equal age", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const first = yield* insert(yield* newBearerSession);
        const { account, createdAt } = first;
        const others = yield* Effect.forEach([0, 0, 1, 2], (ms) =>
          Effect.flatMap(newBearerSession, (session) => insert({ ...session, account, createdAt: createdAt + ms })),
        );
        const seen: Array<Session> = [];
        for (let last: Session | undefined; ; last = seen.at(-1)) {
          const after = last === undefined ? undefined : { at: last.createdAt, id: last.id };
          const page = yield* sessions.list(account, 0, 2, after);
          seen.push(...page);
          // A newer session does not shift the following entries.
          yield* insert({ ...(yield* newBearerSession), account, createdAt: createdAt + 100 + seen.length });
          if (page.length < 2) break;
        }
        assert.deepStrictEqual(seen.map(({ id }) => id).toSorted(), [first, ...others].map(({ id }) => id).toSorted());
      }),
    );

    it.effect("changes a session as decided, and returns the result", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* insert(yield* newBearerSession);
        const answer = yield* sessions.change(session.id, (current) => {
          assert.deepStrictEqual(current, session);
          return ["decided", rotateTokens(session)];
        });
        assert.deepStrictEqual(answer, Option.some("decided"));
        yield* assertFound(rotateTokens(session));
        assert.deepStrictEqual(yield* sessions.change(session.id, (current) => [1, current]), Option.some(1));
        yield* assertFound(rotateTokens(session));
      }),
    );

    it.effect("removes a session if so decided, and decides nothing for a missing one", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* insert(yield* newCookieSession);
        assert.deepStrictEqual(yield* sessions.change(session.id, () => ["ended", null]), Option.some("ended"));
        yield* assertGone(session);
        const answer = yield* sessions.change(session.id, () => assert.fail("there is nothing to decide about"));
        assert.deepStrictEqual(answer, Option.none());
      }),
    );

    it.effect("loses none of many concurrent changes", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* insert(yield* newBearerSession);
        const change = sessions.change(session.id, (current) => [
          current.lastUsedAt,
          { ...current, lastUsedAt: current.lastUsedAt + 1 },
        ]);
        const seen = yield* Effect.all(
          Array.from({ length: 30 }, () => change),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(new Set(seen.map(Option.getOrThrow)).size, 30);
        yield* assertFound({ ...session, lastUsedAt: session.lastUsedAt + 30 });
      }),
    );

    it.effect("removes a session only for its account, and once", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* insert(yield* newBearerSession);
        assert.isFalse(yield* sessions.remove(yield* freshAccount, session.id));
        assert.isFalse(yield* sessions.remove(session.account, `${session.id}\0`));
        yield* assertFound(session);
        assert.isTrue(yield* sessions.remove(session.account, session.id));
        yield* assertGone(session);
        assert.isFalse(yield* sessions.remove(session.account, session.id));
      }),
    );

    it.effect("never finds a removed session, even with concurrent reads", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        for (let trial = 0; trial < 50; trial++) {
          const session = yield* insert(yield* newBearerSession);
          const asking = Effect.forEach(Array.from({ length: 20 }), () => sessions.find(session.id));
          const others = yield* Effect.forkChild(Effect.all([asking, asking, asking], { concurrency: "unbounded" }));
          yield* Effect.yieldNow;
          yield* sessions.remove(session.account, session.id);
          assert.deepStrictEqual(yield* sessions.find(session.id), Option.none());
          yield* Fiber.join(others);
        }
      }),
    );

    it.effect("removes all sessions of an account and of no other", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const mine = yield* insert(yield* newBearerSession);
        const browser = yield* insert({ ...(yield* newCookieSession), account: mine.account });
        const theirs = yield* insert(yield* newBearerSession);
        yield* sessions.removeAll(mine.account);
        yield* assertGone(mine);
        yield* assertGone(browser);
        yield* assertFound(theirs);
      }),
    );

    it.effect("removes up to `limit` expired sessions, and returns their accounts", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const now = 1_000;
        yield* sessions.removeExpired(now, 1_000);
        const expired = yield* Effect.forEach([998, 999, 1_000], (expiresAt) =>
          Effect.flatMap(newCookieSession, (session) => insert({ ...session, expiresAt })),
        );
        const live = yield* insert({ ...(yield* newCookieSession), expiresAt: 1_001 });
        const first = yield* sessions.removeExpired(now, 2);
        const rest = yield* sessions.removeExpired(now, 2);
        assert.strictEqual(first.length, 2);
        assert.sameMembers(
          [...first, ...rest],
          expired.map(({ account }) => account),
        );
        for (const session of expired) yield* assertGone(session);
        yield* assertFound(live);
        assert.deepStrictEqual(yield* sessions.removeExpired(now, 2), []);
      }),
    );

    it.effect("keeps an expiring session that a transaction extends meanwhile [S3.3-2]", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* insert({ ...(yield* newCookieSession), expiresAt: 1_000 });
        const extended = { ...session, expiresAt: 2_000 };
        const extend = sessions.change(session.id, () => [undefined, extended]);
        yield* besideTransaction(extend, sessions.removeExpired(1_000, 1_000));
        yield* assertFound(extended);
      }),
    );
  });
