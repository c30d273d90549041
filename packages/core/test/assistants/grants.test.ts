import { assert, describe, it } from "@effect/vitest";
import { Effect, Option } from "effect";
import { keyOfGrant } from "../../src/assistants/AgentGrant.ts";
import type { AgentGrants, GrantChanges } from "../../src/assistants/AgentGrants.ts";
import { CLIENT, CODE, DAY, grantsInMemory, HOUR, ME, MINUTE, NOW, OTHER } from "./grants-in-memory.ts";

const started = Effect.gen(function* () {
  const world = grantsInMemory();
  const tokens = yield* world.run(NOW, ({ start }) => start(CODE));
  const grant = [...world.stored.values()][0]!;
  return { ...world, tokens, grant, id: grant.id };
});

type World = Effect.Success<typeof started>;

/** Returns the tag and the OAuth error of a refusal. */
const refusal = <A>(
  { run }: World,
  now: number,
  body: (
    grants: AgentGrants["Service"],
  ) => Effect.Effect<A, { readonly _tag: string; readonly error?: string; readonly description?: string }>,
) => Effect.map(Effect.flip(run(now, body)), ({ _tag, error }) => (error === undefined ? _tag : error));

describe("a new grant", () => {
  it.effect("has the rights of its code, a token for an hour, and ends after 30 days [S13.3-4]", () =>
    Effect.gen(function* () {
      const { tokens, grant, id } = yield* started;
      assert.match(tokens.accessToken, /^pgt_id1_{13}_id3_{40}$/);
      assert.match(tokens.refreshToken, /^pgr_id1_{13}_id2_{19}_id4_{40}$/);
      assert.deepStrictEqual([tokens.expiresInSeconds, tokens.scopes], [3_600, CODE.scopes]);
      assert.deepStrictEqual(grant, {
        id,
        account: ME,
        name: "Assistant",
        client: CLIENT,
        scopes: CODE.scopes,
        sendPolicy: CODE.sendPolicy,
        createdAt: NOW,
        lastUsedAt: null,
        expiresAt: NOW + 30 * DAY,
        access: { hash: `hash of ${tokens.accessToken}`, expiresAt: NOW + HOUR },
        refresh: { hash: `hash of ${tokens.refreshToken}`, family: "hash of id2".padEnd(8 + 22, "_") },
      });
    }),
  );

  it("acts as a key that reaches only its account, without limits but its policy", () => {
    const grant = {
      ...CODE,
      id: "g1",
      name: "My assistant",
      createdAt: NOW,
      lastUsedAt: NOW + 1,
      access: { hash: "a", expiresAt: NOW + 2 },
      refresh: { hash: "r", family: "f" },
    };
    assert.deepStrictEqual(keyOfGrant(grant), {
      kind: "grant",
      id: "g1",
      name: "My assistant",
      application: "g1",
      scopes: CODE.scopes,
      sendPolicy: CODE.sendPolicy,
      accounts: [ME],
      networks: null,
      createdAt: NOW,
      expiresAt: CODE.expiresAt,
      lastUsedAt: NOW + 1,
      sendPerDay: null,
      notify: null,
    });
  });
});

describe("an access token", () => {
  it.effect("is accepted for an hour, and no other token is [S13.3-4]", () =>
    Effect.gen(function* () {
      const { run, tokens, id } = yield* started;
      const holder = (now: number, token: string) =>
        run(now, ({ holderOf }) => Effect.map(holderOf(token), (key) => Option.getOrUndefined(key)?.id));
      assert.strictEqual(yield* holder(NOW + HOUR - 1, tokens.accessToken), id);
      assert.isUndefined(yield* holder(NOW + HOUR, tokens.accessToken));
      assert.isUndefined(yield* holder(NOW, `pgt_${id}_${"x".repeat(43)}`));
      assert.isUndefined(yield* holder(NOW, tokens.refreshToken));
      assert.isUndefined(yield* holder(NOW, `${tokens.accessToken}x`));
    }),
  );

  it.effect("records the use of its grant at most once a minute", () =>
    Effect.gen(function* () {
      const { run, tokens, stored, id } = yield* started;
      const usedAt = (now: number) =>
        Effect.map(
          run(now, ({ holderOf }) => holderOf(tokens.accessToken)),
          () => stored.get(id)!.lastUsedAt,
        );
      assert.strictEqual(yield* usedAt(NOW), NOW);
      assert.strictEqual(yield* usedAt(NOW + MINUTE - 1), NOW);
      assert.strictEqual(yield* usedAt(NOW + MINUTE), NOW + MINUTE);
    }),
  );

  it.effect("of a waiting call is checked again until the grant ends", () =>
    Effect.gen(function* () {
      const { run, id, grant } = yield* started;
      const check = (now: number, of: string) => run(now, ({ recheck }) => recheck(of));
      assert.deepStrictEqual(yield* check(NOW + 30 * DAY - 1, id), Option.some(keyOfGrant(grant)));
      assert.deepStrictEqual(yield* check(NOW + 30 * DAY, id), Option.none());
      assert.deepStrictEqual(yield* check(NOW, "another"), Option.none());
    }),
  );
});

describe("a refresh token", () => {
  it.effect("is exchanged for two new tokens, which extend the grant by 30 days [S13.3-5]", () =>
    Effect.gen(function* () {
      const { run, stored, tokens, id, grant } = yield* started;
      const now = NOW + 29 * DAY;
      const renewed = yield* run(now, ({ renew }) => renew(tokens.refreshToken, CLIENT.id, ["mail:read"]));
      assert.notStrictEqual(renewed.refreshToken, tokens.refreshToken);
      assert.deepStrictEqual(renewed.scopes, CODE.scopes);
      assert.deepStrictEqual(stored.get(id), {
        ...grant,
        expiresAt: now + 30 * DAY,
        access: { hash: `hash of ${renewed.accessToken}`, expiresAt: now + HOUR },
        refresh: { hash: `hash of ${renewed.refreshToken}`, family: grant.refresh.family },
      });
      assert.isTrue(
        Option.isSome(yield* run(now + HOUR, ({ renew }) => Effect.option(renew(renewed.refreshToken, CLIENT.id)))),
      );
    }),
  );

  it.effect("that is used after it was replaced ends the grant and holds its mail [S13.3-5]", () =>
    Effect.gen(function* () {
      const world = yield* started;
      const { run, stored, tokens, happened, id } = world;
      const renew = (grants: AgentGrants["Service"]) => grants.renew(tokens.refreshToken, CLIENT.id);
      yield* run(NOW, renew);
      assert.deepStrictEqual(happened, []);
      assert.strictEqual(yield* refusal(world, NOW, renew), "invalid_grant");
      assert.strictEqual(stored.size, 0);
      assert.deepStrictEqual(happened, [`ended ${id}: hold`, `released ${ME}`]);
    }),
  );

  it.effect("adds no scope, and stays current if the client asks for more", () =>
    Effect.gen(function* () {
      const world = yield* started;
      const { tokens, stored, grant, id } = world;
      const wider = ["mail:read", "mail:draft"];
      const told = yield* refusal(world, NOW, ({ renew }) => renew(tokens.refreshToken, CLIENT.id, wider));
      assert.strictEqual(told, "invalid_scope");
      assert.deepStrictEqual(stored.get(id), grant);
    }),
  );

  it.effect("of another client, family or form, or of an expired grant, is refused and changes nothing", () =>
    Effect.gen(function* () {
      const world = yield* started;
      const { tokens, stored, grant, id, happened } = world;
      for (const [now, token, client] of [
        [NOW, tokens.refreshToken, "client_2"],
        [NOW, `pgr_${id}_${"f".repeat(22)}_${"s".repeat(43)}`, CLIENT.id],
        [NOW, `pgr_${"g".repeat(16)}_${"f".repeat(22)}_${"s".repeat(43)}`, CLIENT.id],
        [NOW, tokens.accessToken, CLIENT.id],
        [NOW + 30 * DAY, tokens.refreshToken, CLIENT.id],
      ] as const)
        assert.strictEqual(yield* refusal(world, now, ({ renew }) => renew(token, client)), "invalid_grant");
      assert.deepStrictEqual(stored.get(id), grant);
      assert.deepStrictEqual(happened, []);
    }),
  );
});

describe("a grant of a person", () => {
  it.effect("gets the changed fields, and keeps the others [S13.3-14]", () =>
    Effect.gen(function* () {
      const { run, stored, grant, id, happened } = yield* started;
      const change = (changes: GrantChanges) => run(NOW, (grants) => grants.change(ME, id, changes));
      const sendPolicy = { to: [], approval: "always" } as const;
      assert.deepStrictEqual(yield* change({ name: "Mine" }), { ...grant, name: "Mine" });
      assert.deepStrictEqual(yield* change({ sendPolicy }), { ...grant, name: "Mine", sendPolicy });
      assert.deepStrictEqual(stored.get(id), { ...grant, name: "Mine", sendPolicy });
      assert.deepStrictEqual(happened, Array(2).fill(`grants.change ${ME} ${id}`));
    }),
  );

  it.effect("is unchanged by another account, for another version, after its end, or by an invalid change", () =>
    Effect.gen(function* () {
      const world = yield* started;
      const { stored, grant, id, happened } = world;
      const told = (now: number, ...given: Parameters<AgentGrants["Service"]["change"]>) =>
        refusal(world, now, ({ change }) => change(...given));
      const changes = { name: "Mine" };
      assert.strictEqual(yield* told(NOW, OTHER, id, changes), "AgentGrantNotFound");
      assert.strictEqual(yield* told(NOW, ME, "another", changes), "AgentGrantNotFound");
      assert.strictEqual(yield* told(NOW + 30 * DAY, ME, id, changes), "AgentGrantNotFound");
      assert.strictEqual(yield* told(NOW, ME, id, changes, ({ name }) => name === "Mine"), "AgentGrantChanged");
      assert.strictEqual(yield* told(NOW, ME, id, { name: "a\nb" }), "InputInvalid");
      assert.strictEqual(yield* told(NOW, ME, "", changes), "InputInvalid");
      assert.strictEqual(
        yield* told(NOW, ME, id, { sendPolicy: { to: ["no address"], approval: "never" } }),
        "InputInvalid",
      );
      assert.deepStrictEqual([stored.get(id), happened], [grant, []]);
    }),
  );
});
