import { assert, layer } from "@effect/vitest";
import { AccountId, type Session, Sessions } from "@postern/core";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../fresh-account.ts";

const newSession = Effect.map(freshAccount, (account): Session => ({
  id: `aZ_-${globalThis.crypto.randomUUID()}`,
  account,
  createdAt: 1_900_000_000_123,
  expiresAt: 1_902_592_000_456,
  absoluteExpiresAt: 1_907_776_000_789,
  endedAt: null,
}));

/** What every store of sessions promises (decisions 3). */
export const sessionsContract = (name: string, live: Layer.Layer<Sessions, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("finds a session as it was inserted", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = yield* newSession;
        yield* sessions.insert(session);
        assert.deepStrictEqual(yield* sessions.find(session.id), Option.some(session));
      }),
    );

    it.effect("keeps the end of a session that has ended", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const session = { ...(yield* newSession), endedAt: 1_900_000_001_007 };
        yield* sessions.insert(session);
        assert.deepStrictEqual(yield* sessions.find(session.id), Option.some(session));
      }),
    );

    it.effect("finds none by an id it was not given", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const { id } = yield* newSession;
        yield* sessions.insert({ ...(yield* newSession), id });
        const strangers = [
          "",
          "%",
          "_",
          id.toLowerCase(),
          id.toUpperCase(),
          `${id} `,
          ` ${id}`,
          `${id}x`,
          id.slice(0, -1),
        ];
        for (const stranger of strangers) {
          assert.deepStrictEqual(yield* sessions.find(stranger), Option.none(), JSON.stringify(stranger));
        }
      }),
    );

    it.effect("holds the sessions of one account and of several apart", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions;
        const first = yield* newSession;
        const second = { ...(yield* newSession), account: first.account, createdAt: first.createdAt + 1 };
        const other = { ...(yield* newSession), account: AccountId(`other-${first.account}`) };
        yield* Effect.forEach([first, second, other], sessions.insert, { concurrency: "unbounded" });
        for (const session of [first, second, other]) {
          assert.deepStrictEqual(yield* sessions.find(session.id), Option.some(session));
        }
      }),
    );
  });
