import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { type AssistantClient, AssistantClients } from "../../src/assistants/index.ts";
import { AssistantSettings } from "../../src/assistants/AssistantSettings.ts";
import { AssistantClientRecords } from "../../src/assistants/ports/AssistantClientRecords.ts";
import { ClientDocuments } from "../../src/assistants/ports/ClientDocuments.ts";
import { AuditTrail } from "../../src/audit/Audit.ts";
import { noTransaction, numberedIds, withoutCreationKeys } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const DAY = 24 * 3_600_000;
const WRITTEN = { name: "Assistant", redirectUris: ["https://assistant.example/callback"] };

const world = ({ mayRegister = true, registered = 0, document = "{}" } = {}) => {
  const stored = new Map<string, AssistantClient>();
  const audited: Array<string> = [];
  const swept: Array<number> = [];
  const layer = AssistantClients.layer.pipe(
    Layer.provideMerge([
      Layer.mock(AssistantClientRecords, {
        insert: (client) => Effect.sync(() => void stored.set(client.id, client)),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(stored.get(id))),
        list: (_, limit) => Effect.sync(() => [...stored.values()].slice(0, limit)),
        remove: (id) => Effect.sync(() => stored.delete(id)),
        countRegistered: Effect.succeed(registered),
        removeRegistered: (before) => Effect.sync(() => void swept.push(before)),
      }),
      Layer.succeed(ClientDocuments, { read: () => Effect.succeed(document) }),
      Layer.succeed(AssistantSettings, { mayRegister }),
      Layer.succeed(AuditTrail, (operation, { target }) =>
        Effect.sync(() => void audited.push(`${operation} ${target}`)),
      ),
      withoutCreationKeys,
      noTransaction,
      numberedIds,
    ]),
  );
  const run = <A, E>(body: (clients: AssistantClients["Service"]) => Effect.Effect<A, E>) =>
    Effect.andThen(TestClock.setTime(NOW), Effect.provide(Effect.flatMap(AssistantClients, body), layer));
  return { stored, audited, swept, run };
};

const ID = `client_${"id1".padEnd(16, "_")}`;

/** Returns the tag of a refusal and its reason. */
const refusal = <E extends { readonly _tag: string; readonly reason?: string }>(effect: Effect.Effect<unknown, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag, reason }) => [_tag, reason]);

describe("a client that the operator makes", () => {
  it.effect("is stored, found and listed", () =>
    Effect.gen(function* () {
      const { run, audited } = world();
      const made = yield* run(({ make }) => make(WRITTEN));
      assert.deepStrictEqual(made, { id: ID, ...WRITTEN, source: "operator", createdAt: NOW });
      assert.deepStrictEqual(yield* run(({ find }) => find(ID)), made);
      assert.deepStrictEqual(yield* run(({ page }) => page({})), { items: [made], nextCursor: null });
      assert.deepStrictEqual(audited, [`oauthClients.make ${ID}`]);
    }),
  );

  it.effect("is listed in pages, from the place of the last client on", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const made = yield* run(({ make }) => make(WRITTEN));
      stored.set("b", { ...made, id: "b" });
      assert.deepStrictEqual(yield* run(({ page }) => page({ limit: 1 })), {
        items: [made],
        nextCursor: `${NOW}.${ID}`,
      });
    }),
  );

  it.effect("has a name and a redirect URI, at most 20", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const uris = (count: number) => Array.from({ length: count }, (_, n) => `https://a.example/${n}`);
      for (const over of [
        { name: "" },
        { redirectUris: [] },
        { redirectUris: ["app:/x"] },
        { redirectUris: uris(21) },
      ]) {
        const [tag] = yield* refusal(run(({ make }) => make({ ...WRITTEN, ...over })));
        assert.strictEqual(tag, "InputInvalid");
        const [registered] = yield* refusal(run(({ register }) => register({ ...WRITTEN, ...over })));
        assert.strictEqual(registered, "InputInvalid");
      }
      assert.strictEqual(stored.size, 0);
      yield* run(({ make }) => make({ ...WRITTEN, redirectUris: uris(20) }));
      assert.strictEqual(stored.size, 1);
    }),
  );

  it.effect("is deleted once, and is then unknown", () =>
    Effect.gen(function* () {
      const { run, audited } = world();
      yield* run(({ make }) => make(WRITTEN));
      yield* run(({ remove }) => remove(ID));
      assert.deepStrictEqual(yield* refusal(run(({ remove }) => remove(ID))), ["OAuthClientNotFound", undefined]);
      assert.strictEqual((yield* refusal(run(({ remove }) => remove(""))))[0], "InputInvalid");
      assert.deepStrictEqual(yield* refusal(run(({ find }) => find(ID))), ["ClientRejected", "id_unknown"]);
      assert.deepStrictEqual(audited, [`oauthClients.make ${ID}`, `oauthClients.remove ${ID}`]);
    }),
  );
});

describe("a client that registers itself", () => {
  it.effect("is stored if the operator allows registration and fewer than 1,000 have registered [S13.3-20]", () =>
    Effect.gen(function* () {
      const { run, stored } = world({ registered: 999 });
      const made = yield* run(({ register }) => register(WRITTEN));
      assert.deepStrictEqual([...stored.values()], [made]);
      assert.deepStrictEqual(made, { id: ID, ...WRITTEN, source: "registered", createdAt: NOW });
      const full = world({ registered: 1_000 });
      assert.deepStrictEqual(yield* refusal(full.run(({ register }) => register(WRITTEN))), [
        "RegistrationRefused",
        "full",
      ]);
      const off = world({ mayRegister: false });
      assert.deepStrictEqual(yield* refusal(off.run(({ register }) => register(WRITTEN))), [
        "RegistrationRefused",
        "disabled",
      ]);
      assert.deepStrictEqual([full.stored.size, off.stored.size], [0, 0]);
    }),
  );

  it.effect("is kept for 30 days [S13.3-20]", () =>
    Effect.gen(function* () {
      const { run, swept } = world();
      yield* run(({ sweep }) => sweep);
      assert.deepStrictEqual(swept, [NOW - 30 * DAY]);
    }),
  );
});

it.effect("a client whose document describes another client is refused [S13.3-13]", () =>
  Effect.gen(function* () {
    const url = "https://assistant.example/client.json";
    const document = (client_id: string) => JSON.stringify({ client_id, redirect_uris: WRITTEN.redirectUris });
    const find = (text: string) => world({ document: text }).run((clients) => clients.find(url));
    assert.deepStrictEqual(yield* refusal(find(document(`${url}x`))), ["ClientRejected", "document_wrong"]);
    assert.strictEqual((yield* find(document(url))).name, "assistant.example");
  }),
);
