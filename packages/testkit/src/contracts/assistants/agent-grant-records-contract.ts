import { assert, layer } from "@effect/vitest";
import { type AgentGrant, AgentGrantRecords } from "@postern/core/assistants";
import type { Transaction } from "@postern/core/shared";
import { Effect, type Layer, Option } from "effect";
import { assertChangesWait } from "../assert-changes-wait.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const NOW = 1_900_000_000_000;

const newGrant = Effect.gen(function* () {
  const grant: AgentGrant = {
    id: globalThis.crypto.randomUUID(),
    account: yield* freshAccount,
    name: "Assistant",
    client: { id: "https://assistant.example/client.json", name: "Assistant", host: "assistant.example" },
    scopes: ["mail:read", "mail:draft"],
    sendPolicy: { to: ["ann@example.org", "@example.com"], perDay: 3, approval: "outside" },
    createdAt: NOW,
    lastUsedAt: null,
    expiresAt: NOW + 1_000,
    access: { hash: "access", expiresAt: NOW + 100 },
    refresh: { hash: "refresh", family: "family" },
  };
  return grant;
});

const insert = Effect.fnUntraced(function* (over: Partial<AgentGrant> = {}) {
  const grant = { ...(yield* newGrant), ...over };
  yield* (yield* AgentGrantRecords).insert(grant);
  return grant;
});

/** The contract of `AgentGrantRecords`. */
export const agentGrantRecordsContract = (name: string, live: Layer.Layer<AgentGrantRecords | Transaction, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("finds a grant as it was inserted, and none by another id", () =>
      Effect.gen(function* () {
        const grants = yield* AgentGrantRecords;
        const grant = yield* insert();
        assert.deepStrictEqual(yield* grants.find(grant.id), Option.some(grant));
        for (const other of [grant.id.toUpperCase(), grant.id.slice(1), "%", ""]) {
          assert.deepStrictEqual(yield* grants.find(other), Option.none(), other);
        }
      }),
    );

    it.effect("changes a grant as decided, and removes it if so decided", () =>
      Effect.gen(function* () {
        const grants = yield* AgentGrantRecords;
        const grant = yield* insert({ lastUsedAt: NOW });
        const renamed = { ...grant, name: "Other", expiresAt: NOW + 5_000 };
        assert.deepStrictEqual(yield* grants.change(grant.id, () => ["done", renamed]), Option.some("done"));
        assert.deepStrictEqual(yield* grants.find(grant.id), Option.some(renamed));
        assert.deepStrictEqual(yield* grants.change(grant.id, (known) => [known, null]), Option.some(renamed));
        assert.deepStrictEqual(yield* grants.find(grant.id), Option.none());
        const answer = yield* grants.change(grant.id, () => assert.fail("there is nothing to decide about"));
        assert.deepStrictEqual(answer, Option.none());
      }),
    );

    it.effect("loses none of many concurrent changes", () =>
      Effect.gen(function* () {
        const grants = yield* AgentGrantRecords;
        const { id } = yield* insert({ createdAt: 0 });
        const change = grants.change(id, (grant) => [grant.name, { ...grant, name: `${grant.name}x` }]);
        const seen = yield* Effect.all(
          Array.from({ length: 20 }, () => change),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(new Set(seen.map(Option.getOrThrow)).size, 20);
      }),
    );

    it.effect("lets a change that changes nothing wait for another transaction, and the other for it", () =>
      Effect.gen(function* () {
        const grants = yield* AgentGrantRecords;
        const { id } = yield* insert();
        yield* assertChangesWait(
          grants.change(id, (grant) => [grant.name, grant]),
          grants.change(id, (grant) => [grant.name, { ...grant, name: `${grant.name}x` }]),
        );
      }),
    );

    it.effect("lists the live grants of one account, newest first, a page at a time", () =>
      Effect.gen(function* () {
        const grants = yield* AgentGrantRecords;
        const first = yield* insert();
        const { account } = first;
        const others = [
          yield* insert({ account, createdAt: NOW + 1 }),
          yield* insert({ account, createdAt: NOW + 1 }),
          yield* insert({ account, createdAt: NOW + 2 }),
        ];
        yield* insert();
        yield* insert({ account, expiresAt: NOW });
        const sorted = [...others, first].toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
        assert.deepStrictEqual(yield* grants.list(account, NOW, undefined, 10), sorted);
        const after = { at: sorted[1]!.createdAt, id: sorted[1]!.id };
        assert.deepStrictEqual(yield* grants.list(account, NOW, after, 1), [sorted[2]!]);
        assert.deepStrictEqual(yield* grants.list(account, NOW + 1_000, undefined, 10), []);
      }),
    );

    it.effect("tells whether an account has a live grant, and removes all of one account", () =>
      Effect.gen(function* () {
        const grants = yield* AgentGrantRecords;
        const { account, expiresAt, id } = yield* insert();
        const other = yield* insert();
        assert.isTrue(yield* grants.hasLive(account, expiresAt - 1));
        assert.isFalse(yield* grants.hasLive(account, expiresAt));
        yield* grants.removeAll(account);
        assert.isFalse(yield* grants.hasLive(account, 0));
        assert.deepStrictEqual(yield* grants.find(id), Option.none());
        assert.deepStrictEqual(yield* grants.find(other.id), Option.some(other));
      }),
    );

    it.effect("removes up to `limit` expired grants, and returns them", () =>
      Effect.gen(function* () {
        const grants = yield* AgentGrantRecords;
        yield* grants.removeExpired(NOW, 1_000);
        const expired = [yield* insert({ expiresAt: NOW - 2 }), yield* insert({ expiresAt: NOW - 1 })];
        const live = yield* insert({ expiresAt: NOW });
        const removed = [...(yield* grants.removeExpired(NOW, 1)), ...(yield* grants.removeExpired(NOW, 10))];
        const byId = (some: ReadonlyArray<{ readonly id: string }>) => new Map(some.map((one) => [one.id, one]));
        assert.deepStrictEqual(byId(removed), byId(expired.map(({ id, account }) => ({ id, account }))));
        assert.deepStrictEqual(yield* grants.removeExpired(NOW, 10), []);
        for (const { id } of expired) assert.isTrue(Option.isNone(yield* grants.find(id)));
        assert.deepStrictEqual(yield* grants.find(live.id), Option.some(live));
      }),
    );
  });
