import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import {
  AdminKeys,
  KeyAuthentication,
  type KeyClient,
  type ServiceKey,
  ServiceKeys,
  WrongKeys,
} from "../../src/auth/index.ts";
import { serviceKeyText } from "../../src/auth/KeyAuthentication.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import { StoreUnavailable } from "../../src/shared/index.ts";
import { numberedIds, readableHashes } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const MINUTE = 60_000;
const ADMIN = "a".repeat(32);
const ID = "k".repeat(16);
const TEXT = serviceKeyText(ID, "s".repeat(43));
const GUESS = serviceKeyText(ID, "t".repeat(43));
const JWT = `${"h".repeat(20)}.${"c".repeat(20)}.${"s".repeat(20)}`;

const KEY: ServiceKey = {
  id: ID,
  name: "CRM",
  application: "crm",
  scopes: ["mail:read"],
  accounts: null,
  networks: null,
  createdAt: NOW,
  expiresAt: null,
  lastUsedAt: NOW,
  sendPerDay: null,
  notify: null,
};

/** Records wrong keys by network, uses of keys as [id, now, replaces], and the times of sweeps. */
interface Recorded {
  readonly wrong: Array<string>;
  readonly uses: Array<readonly [string, number, number]>;
  readonly swept: Array<number>;
}

interface World {
  readonly key?: Partial<ServiceKey>;
  readonly admins?: ReadonlyArray<string>;
  /** The times of earlier wrong keys of the network. */
  readonly earlier?: ReadonlyArray<number>;
  readonly use?: Effect.Effect<void, StoreUnavailable>;
}

const at = ({ key = {}, admins = [ADMIN], earlier = [], use = Effect.void }: World = {}) => {
  const recorded: Recorded = { wrong: [], uses: [], swept: [] };
  const stored: ServiceKey = { ...KEY, ...key };
  const ports = Layer.mergeAll(
    Layer.succeed(
      AdminKeys,
      admins.map((text) => Redacted.make(text)),
    ),
    readableHashes,
    numberedIds,
    Layer.mock(ServiceKeys, {
      findByHash: (id, hash) =>
        Effect.succeed(id === ID && hash === `hash of ${TEXT}` ? Option.some(stored) : Option.none()),
      find: (id) => Effect.succeed(id === ID ? Option.some(stored) : Option.none()),
      use: (...one) =>
        Effect.andThen(
          use,
          Effect.sync(() => void recorded.uses.push(one)),
        ),
    }),
    Layer.succeed(WrongKeys, {
      judge: ({ network }, since, verdictOf) =>
        Effect.sync(() => {
          const verdict = verdictOf(earlier.filter((time) => time > since));
          if (verdict._tag === "Count") recorded.wrong.push(network);
          return verdict;
        }),
      removeOld: (before) => Effect.sync(() => void recorded.swept.push(before)),
    }),
  );
  const run = <A, E>(body: (keys: KeyAuthentication["Service"]) => Effect.Effect<A, E>) =>
    Effect.andThen(
      TestClock.setTime(NOW),
      Effect.provide(Effect.flatMap(KeyAuthentication, body), Layer.provide(KeyAuthentication.layer, ports)),
    );
  return { recorded, run };
};

const client = (network = "192.0.2.1"): KeyClient => ({ network, isWithin: (blocks) => blocks.includes("10.0.0.0/8") });
const outside: KeyClient = { network: "192.0.2.1", isWithin: () => false };

describe("a service key", () => {
  it.effect("identifies its request until it expires, to the millisecond", () =>
    Effect.gen(function* () {
      for (const [expiresAt, isAccepted] of [
        [null, true],
        [NOW + 1, true],
        [NOW, false],
        [NOW - 1, false],
      ] as const) {
        const { run, recorded } = at({ key: { expiresAt } });
        const holder = yield* run(({ holderOf, recheck: stillAccepted }) =>
          Effect.all([
            Effect.result(holderOf(TEXT, () => client())),
            Effect.map(stillAccepted(ID, "mail:read", client()), Option.isSome),
          ]),
        );
        const told = [
          holder[0]._tag === "Success" ? Option.getOrThrow(holder[0].success)._tag : holder[0].failure._tag,
        ];
        assert.deepStrictEqual([...told, holder[1]], isAccepted ? ["Service", true] : ["KeyRejected", false]);
        // A key that was valid once does not count as a guess.
        assert.deepStrictEqual(recorded.wrong, []);
      }
    }),
  );

  it.effect("that is deleted, has lost a scope or is used from another network is no longer accepted [S10.2-24]", () =>
    Effect.gen(function* () {
      const { run } = at({ key: { scopes: ["events"], networks: ["10.0.0.0/8"] } });
      const still = (id: string, scope: Scope, from: KeyClient) =>
        run(({ recheck: stillAccepted }) => Effect.map(stillAccepted(id, scope, from), Option.isSome));
      assert.isTrue(yield* still(ID, "events", client()));
      assert.isFalse(yield* still("another", "events", client()));
      assert.isFalse(yield* still(ID, "mail:read", client()));
      assert.isFalse(yield* still(ID, "events", outside));
    }),
  );

  it.effect("is accepted from its networks only, and from all without networks [S10.2-7]", () =>
    Effect.gen(function* () {
      const networks = { networks: ["10.0.0.0/8"] };
      const tell = (key: Partial<ServiceKey>, from: KeyClient) =>
        at({ key }).run(({ holderOf }) =>
          Effect.match(
            holderOf(TEXT, () => from),
            { onSuccess: () => "accepted", onFailure: ({ _tag }) => _tag },
          ),
        );
      assert.strictEqual(yield* tell(networks, client()), "accepted");
      assert.strictEqual(yield* tell(networks, outside), "KeyNetworkRefused");
      assert.strictEqual(yield* tell({ networks: [] }, outside), "KeyNetworkRefused");
      assert.strictEqual(yield* tell({}, outside), "accepted");
    }),
  );

  it.effect("has its last use recorded at most once a minute, and is accepted even if that fails", () =>
    Effect.gen(function* () {
      const uses = (lastUsedAt: number | null, use?: Effect.Effect<void, StoreUnavailable>) => {
        const { run, recorded } = at({ key: { lastUsedAt }, ...(use === undefined ? {} : { use }) });
        return Effect.as(
          run(({ holderOf }) => holderOf(TEXT, () => client())),
          recorded.uses,
        );
      };
      const use = [ID, NOW, NOW - MINUTE] as const;
      assert.deepStrictEqual(yield* uses(null), [use]);
      assert.deepStrictEqual(yield* uses(NOW - MINUTE), [use]);
      assert.deepStrictEqual(yield* uses(NOW - MINUTE + 1), []);
      assert.deepStrictEqual(yield* uses(null, new StoreUnavailable({ detail: "away" })), []);
    }),
  );
});

describe("a text that is no known key", () => {
  /** Returns the answer to a request with this text, and the networks for which a wrong key was counted. */
  const tell = (text: string, world: World = {}) => {
    const { run, recorded } = at(world);
    return Effect.map(
      run(({ holderOf }) =>
        Effect.match(
          holderOf(text, () => client("198.51.100.7")),
          {
            onSuccess: (holder) => Option.match(holder, { onNone: () => "none", onSome: ({ _tag }) => _tag }),
            onFailure: ({ _tag }) => _tag,
          },
        ),
      ),
      (told) => [told, ...recorded.wrong],
    );
  };
  const counted = ["KeyRejected", "198.51.100.7"];

  it.effect("is refused, and counts against its network if it claims to be a service key [S10.2-6]", () =>
    Effect.gen(function* () {
      for (const text of [GUESS, "psk_", "psk_x_y"]) assert.deepStrictEqual(yield* tell(text), counted);
    }),
  );

  it.effect(
    "counts as a guess of the admin key if it is long enough, is not a session's token, and an admin key is set",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* tell("b".repeat(32)), counted);
        assert.deepStrictEqual(yield* tell("b".repeat(31)), ["none"]);
        assert.deepStrictEqual(yield* tell(JWT), ["none"]);
        assert.deepStrictEqual(yield* tell("b".repeat(32), { admins: [] }), ["none"]);
      }),
  );

  it.effect(
    "is answered 429 after ten wrong keys of its network in 15 minutes, and is no longer counted [S10.2-6]",
    () =>
      Effect.gen(function* () {
        const ten = Array.from({ length: 10 }, (_, n) => NOW - 15 * MINUTE + 1 + n);
        const { run, recorded } = at({ earlier: ten });
        const refusal = yield* run(({ holderOf }) => Effect.flip(holderOf(GUESS, () => client())));
        assert.deepStrictEqual([refusal._tag, "retryAfter" in refusal && refusal.retryAfter], ["TooManyWrongKeys", 1]);
        assert.deepStrictEqual(recorded.wrong, []);
        const nine = [NOW - 15 * MINUTE, ...ten.slice(1)];
        assert.deepStrictEqual(yield* tell(GUESS, { earlier: nine }), counted);
        assert.deepStrictEqual(yield* tell(TEXT, { earlier: ten }), ["Service"]);
        assert.deepStrictEqual(yield* tell(ADMIN, { earlier: ten }), ["Admin"]);
      }),
  );
});

describe("an admin key", () => {
  it.effect("may be any of the keys that are set, so that one can replace another", () =>
    Effect.gen(function* () {
      const admins = [ADMIN, "c".repeat(40)];
      for (const text of admins) {
        const { run } = at({ admins });
        const holder = yield* run(({ holderOf }) => holderOf(text, () => client()));
        assert.deepStrictEqual(holder, Option.some({ _tag: "Admin" as const }));
      }
    }),
  );
});

it.effect("forgets wrong keys that no longer count", () =>
  Effect.gen(function* () {
    const { run, recorded } = at();
    yield* run(({ sweep }) => sweep);
    assert.deepStrictEqual(recorded.swept, [NOW - 15 * MINUTE]);
  }),
);
