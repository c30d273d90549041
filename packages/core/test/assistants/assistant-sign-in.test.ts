import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import {
  type AskingAssistant,
  type AssistantClient,
  AssistantClients,
  AssistantSignIn,
  type AuthorizationCode,
  AuthorizationCodes,
} from "../../src/assistants/index.ts";
import { OAuthSettings } from "../../src/oauth/index.ts";
import { Transaction } from "../../src/shared/index.ts";
import { CLIENT, CODE, grantsInMemory, ME, MINUTE, NOW } from "./grants-in-memory.ts";

const REDIRECT = CODE.redirectUri;
const PUBLISHED = "https://assistant.example/client.json";
const VERIFIER = "v".repeat(43);
const client: AssistantClient = {
  id: CLIENT.id,
  name: CLIENT.name,
  redirectUris: [REDIRECT, "http://127.0.0.1/x"],
  source: "operator",
  createdAt: NOW,
};
const ASKER: AskingAssistant = { client, host: null, redirectUri: REDIRECT, isOnThisMachine: false };

/** Codes by their hashes, and grants; `swept` are the times of sweeps. */
const world = () => {
  const codes = new Map<string, AuthorizationCode>();
  const swept: Array<number> = [];
  const grants = grantsInMemory();
  const committed: Array<readonly [codes: number, grants: number]> = [];
  const layer = AssistantSignIn.layer.pipe(
    Layer.provide([
      Layer.mock(AssistantClients, {
        find: (id) => Effect.succeed({ ...client, id, source: id === PUBLISHED ? "document" : "operator" }),
      }),
      Layer.mock(AuthorizationCodes, {
        insert: (code) => Effect.sync(() => void codes.set(code.id, code)),
        take: (id) =>
          Effect.sync(() => {
            const found = Option.fromUndefinedOr(codes.get(id));
            codes.delete(id);
            return found;
          }),
        removeExpired: (before) => Effect.sync(() => void swept.push(before)),
      }),
      Layer.succeed(OAuthSettings, { baseUrl: "https://postern.example", apps: [], operatorName: null }),
    ]),
    Layer.provide(
      Layer.merge(
        grants.layer,
        Layer.succeed(Transaction, {
          run: (effect) =>
            Effect.tap(effect, () => Effect.sync(() => committed.push([codes.size, grants.stored.size]))),
        }),
      ),
    ),
  );
  return {
    codes,
    swept,
    committed,
    grants: grants.stored,
    signedOut: grants.signedOut,
    run: <A, E>(now: number, body: (signIn: AssistantSignIn["Service"]) => Effect.Effect<A, E>) =>
      Effect.andThen(TestClock.setTime(now), Effect.provide(Effect.flatMap(AssistantSignIn, body), layer)),
  };
};

describe("the client that asks for access", () => {
  const asker = (parameters: Readonly<Record<string, string>>) =>
    world().run(NOW, ({ askerOf }) => askerOf(parameters));

  it.effect("is shown with the host of its document, and whether it runs on the person's machine", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* asker({ client_id: CLIENT.id, redirect_uri: REDIRECT }), ASKER);
      const published = yield* asker({ client_id: PUBLISHED, redirect_uri: "http://127.0.0.1:1234/x" });
      assert.deepStrictEqual(published, {
        client: { ...client, id: PUBLISHED, source: "document" },
        host: "assistant.example",
        redirectUri: "http://127.0.0.1:1234/x",
        isOnThisMachine: true,
      });
      // The id of a stored client may look like an address, but no document was read there.
      const { host } = yield* asker({ client_id: "https://x.example/client", redirect_uri: REDIRECT });
      assert.strictEqual(host, null);
    }),
  );

  it.effect("names itself and one of its own redirect URIs [S13.3-8]", () =>
    Effect.gen(function* () {
      const reason = (parameters: Readonly<Record<string, string>>) =>
        Effect.map(Effect.flip(asker(parameters)), (error) => "reason" in error && error.reason);
      assert.strictEqual(yield* reason({ redirect_uri: REDIRECT }), "id_missing");
      assert.strictEqual(yield* reason({ client_id: CLIENT.id }), "redirect_uri_foreign");
      assert.strictEqual(
        yield* reason({ client_id: CLIENT.id, redirect_uri: `${REDIRECT}/x` }),
        "redirect_uri_foreign",
      );
    }),
  );

  it.effect("asks for the tokens of this service's own resource", () =>
    Effect.gen(function* () {
      const parameters = { response_type: "code", code_challenge: VERIFIER, code_challenge_method: "S256" };
      const { run } = world();
      const [issuer, resource] = yield* run(NOW, (signIn) => Effect.succeed([signIn.issuer, signIn.resource]));
      assert.deepStrictEqual([issuer, resource], ["https://postern.example", "https://postern.example/mcp"]);
      const request = yield* run(NOW, ({ check }) => check({ ...parameters, resource: resource! }));
      assert.deepStrictEqual(request, { challenge: VERIFIER, suggested: "draft" });
    }),
  );
});

describe("an authorization code", () => {
  const request = { challenge: `hash of ${VERIFIER}`, suggested: "read" } as const;
  const choice = { level: "read", sendsTo: ["@x.test"] } as const;

  it.effect("stores what the person chose, for 60 seconds, under its hash [S13.3-11]", () =>
    Effect.gen(function* () {
      const { run, codes } = world();
      const code = yield* run(NOW, ({ approve }) => approve(ME, ASKER, request, choice));
      assert.strictEqual(code.length, 43);
      const stored = { ...CODE, id: `hash of ${code}`, expiresAt: NOW + MINUTE };
      assert.deepStrictEqual([...codes.values()], [stored]);
    }),
  );

  it.effect("is not given for recipients that no policy may name", () =>
    Effect.gen(function* () {
      const { run, codes } = world();
      const wrong = { level: "read", sendsTo: ["no address"] } as const;
      const told = yield* run(NOW, ({ approve }) => Effect.flip(approve(ME, ASKER, request, wrong)));
      assert.strictEqual(told._tag, "InputInvalid");
      assert.strictEqual(codes.size, 0);
    }),
  );
});

describe("a request for tokens", () => {
  const GOOD = {
    grant_type: "authorization_code",
    client_id: CLIENT.id,
    code: "code",
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  };

  const told = (over: Readonly<Record<string, string | undefined>>, now = NOW, code = CODE) => {
    const { run, codes, grants } = world();
    codes.set(code.id, code);
    return Effect.map(
      run(now, ({ exchange }) =>
        Effect.match(exchange({ ...GOOD, ...over }), {
          onSuccess: ({ scopes }) => scopes.join(" "),
          onFailure: (failure) => (failure._tag === "TokenRefused" ? failure.error : failure._tag),
        }),
      ),
      (answer) => [answer, codes.size, grants.size] as const,
    );
  };
  const granted = ["mail:read mail:send", 0, 1] as const;
  const used = ["invalid_grant", 0, 0] as const;

  it.effect("exchanges a code once for the tokens of a grant [S13.3-11]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told({}), granted);
      assert.deepStrictEqual(yield* told({ resource: "https://postern.example/mcp" }), granted);
      assert.deepStrictEqual(yield* told({}, NOW + MINUTE - 1), granted);
      const { run, codes } = world();
      codes.set(CODE.id, CODE);
      yield* run(NOW, ({ exchange }) => exchange(GOOD));
      const again = yield* run(NOW, ({ exchange }) => Effect.flip(exchange(GOOD)));
      assert.strictEqual("error" in again && again.error, "invalid_grant");
    }),
  );

  it.effect("takes the code and stores the grant in one transaction, which a removal of the account waits for", () =>
    Effect.gen(function* () {
      const { run, codes, committed } = world();
      codes.set(CODE.id, CODE);
      yield* run(NOW, ({ exchange }) => exchange(GOOD));
      assert.deepStrictEqual(committed, [[0, 1]]);
      codes.set(CODE.id, CODE);
      yield* run(NOW + MINUTE, ({ exchange }) => Effect.flip(exchange(GOOD)));
      assert.deepStrictEqual(committed, [
        [0, 1],
        [0, 1],
      ]);
    }),
  );

  it.effect("spends a code for another client, redirect URI or verifier, or after 60 seconds [S13.3-11]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told({}, NOW + MINUTE), used);
      assert.deepStrictEqual(yield* told({ client_id: "client_2" }), used);
      assert.deepStrictEqual(yield* told({ redirect_uri: `${REDIRECT}/x` }), used);
      assert.deepStrictEqual(yield* told({ code_verifier: "w".repeat(43) }), used);
      assert.deepStrictEqual(yield* told({ code: "another" }), ["invalid_grant", 1, 0]);
    }),
  );

  it.effect("is refused after the person signed out everywhere, which erased the password", () =>
    Effect.gen(function* () {
      const { run, codes, grants, signedOut } = world();
      codes.set(CODE.id, CODE);
      signedOut.add(ME);
      const refused = yield* run(NOW, ({ exchange }) => Effect.flip(exchange(GOOD)));
      assert.deepStrictEqual("error" in refused && refused.error, "invalid_grant");
      assert.deepStrictEqual([codes.size, grants.size], [0, 0]);
    }),
  );

  it.effect("that is incomplete or malformed leaves the code unspent", () =>
    Effect.gen(function* () {
      for (const [over, error] of [
        [{ client_id: undefined }, "invalid_request"],
        [{ code: undefined }, "invalid_request"],
        [{ redirect_uri: undefined }, "invalid_request"],
        [{ code_verifier: undefined }, "invalid_request"],
        [{ code_verifier: "v".repeat(42) }, "invalid_request"],
        [{ code_verifier: "v".repeat(129) }, "invalid_request"],
        [{ code_verifier: `${"v".repeat(42)}/` }, "invalid_request"],
        [{ resource: "https://other.example/mcp" }, "invalid_target"],
        [{ grant_type: "password" }, "unsupported_grant_type"],
        [{ grant_type: undefined }, "unsupported_grant_type"],
        [{ grant_type: "refresh_token" }, "invalid_request"],
      ] as const)
        assert.deepStrictEqual(yield* told(over), [error, 1, 0]);
    }),
  );

  it.effect("takes verifiers of 43 to 128 characters", () =>
    Effect.gen(function* () {
      for (const verifier of ["v.~-_9".repeat(8), "v".repeat(128)]) {
        const code = { ...CODE, challenge: `hash of ${verifier}` };
        assert.deepStrictEqual(yield* told({ code_verifier: verifier }, NOW, code), granted);
      }
    }),
  );

  it.effect("renews a grant, unless it asks for a scope beyond the grant", () =>
    Effect.gen(function* () {
      const { run, codes } = world();
      codes.set(CODE.id, CODE);
      const { refreshToken } = yield* run(NOW, ({ exchange }) => exchange(GOOD));
      const renewal = { grant_type: "refresh_token", client_id: CLIENT.id, refresh_token: refreshToken };
      const wider = yield* run(NOW, ({ exchange }) => Effect.flip(exchange({ ...renewal, scope: "mail:draft" })));
      assert.strictEqual("error" in wider && wider.error, "invalid_scope");
      const { scopes } = yield* run(NOW, ({ exchange }) => exchange({ ...renewal, scope: " mail:send  mail:read " }));
      assert.deepStrictEqual(scopes, CODE.scopes);
    }),
  );
});

it.effect("expired codes are removed", () =>
  Effect.gen(function* () {
    const { run, swept } = world();
    yield* run(NOW, ({ sweep }) => sweep);
    assert.deepStrictEqual(swept, [NOW]);
  }),
);
