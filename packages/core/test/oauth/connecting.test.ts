import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory } from "../../src/accounts/index.ts";
import { Applications, type ServiceKey, ServiceKeys } from "../../src/auth/index.ts";
import {
  appOf,
  Apps,
  AuthorizationServer,
  type ConnectAttempt,
  ConnectAttempts,
  ConnectLinks,
  Consents,
  type OAuthApp,
  type OAuthAppInput,
  OAuthApps,
  OAuthSettings,
} from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { noTransaction, numberedIds, readableHashes, withoutCreationKeys } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const TEN_MINUTES = 600_000;
const ME = AccountId("me@x.test");

const app = (input: Partial<OAuthAppInput> = {}): OAuthApp => {
  const read = appOf({ id: "corp", provider: "google", clientId: "c", ...input });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.app;
};
const issued = (refreshToken: string | null) => ({
  accessToken: Redacted.make("access"),
  expiresIn: 3600,
  refreshToken: refreshToken === null ? null : Redacted.make(refreshToken),
  identity: null,
});

/** The provider, the begun connections, and the keys of applications by their ids. */
const world = (apps: ReadonlyArray<OAuthApp> = [app()]) => {
  const state = {
    attempts: new Map<string, ConnectAttempt>(),
    keys: new Map<string, number | null>(),
    begun: 0,
    requests: Array<unknown>(),
  };
  const find = (id: string) => Effect.sync(() => Option.fromUndefinedOr(state.attempts.get(id)));
  const layer = Layer.merge(ConnectLinks.layer, Consents.layer).pipe(
    Layer.provide(Apps.layer),
    Layer.provide([
      Layer.succeed(OAuthSettings, { apps, baseUrl: "https://mail.test", operatorName: "Acme Mail" }),
      Layer.mock(OAuthApps, { list: Effect.succeed([]), find: () => Effect.succeedNone }),
      Layer.mock(ConnectAttempts, {
        insert: (attempt) => Effect.sync(() => void state.attempts.set(attempt.id, attempt)),
        find,
        take: (id) => Effect.tap(find(id), () => Effect.sync(() => state.attempts.delete(id))),
        countFrom: () => Effect.sync(() => state.begun),
      }),
      Layer.mock(AuthorizationServer, {
        authorizationUrl: (_, request) =>
          Effect.sync(() => (state.requests.push(request), `https://id.test/?state=${request.state}`)),
        exchange: (_, { callbackUrl, verifier, ...request }) =>
          Effect.sync(() => {
            state.requests.push({
              ...request,
              callbackUrl: Redacted.value(callbackUrl),
              verifier: Redacted.value(verifier),
            });
            return { ...issued("refresh"), identity: { issuer: "i", subject: "s", address: ME } as never };
          }),
      }),
      Layer.mock(AccountDirectory, {}),
      Layer.mock(Applications, { find: () => Effect.succeedNone }),
      Layer.mock(ServiceKeys, {
        find: (id) =>
          Effect.sync(() =>
            state.keys.has(id) ? Option.some({ expiresAt: state.keys.get(id) } as ServiceKey) : Option.none(),
          ),
      }),
      readableHashes,
      numberedIds,
      withoutCreationKeys,
      noTransaction,
    ]),
  );
  return { state, layer };
};

/** The name of the error that an effect fails with, or "done". */
const told = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag });

describe("a connect link", () => {
  const REQUEST = { address: null, app: null, tags: null, reach: null };
  const secretIn = (url: string) => url.slice("https://mail.test/connect/".length);

  it.effect("leads to a page, and works for ten minutes or until it is used [S11.3-1] [S11.3-3]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const { make, find, close } = yield* ConnectLinks;
      const url = yield* make({ redirectUrl: "https://crm.test/", state: "s" }, { reach: null, key: null });
      assert.match(url, /^https:\/\/mail\.test\/connect\/id1_+$/);
      assert.notInclude(url, "crm");
      const link = yield* find(secretIn(url));
      assert.deepStrictEqual(link, {
        _tag: "Link",
        id: `hash of ${secretIn(url)}`,
        expiresAt: NOW + TEN_MINUTES,
        request: REQUEST,
        redirectUrl: "https://crm.test/",
        state: "s",
      });
      yield* TestClock.setTime(NOW + TEN_MINUTES - 1);
      assert.strictEqual(yield* told(find(secretIn(url))), "done");
      yield* TestClock.setTime(NOW + TEN_MINUTES);
      assert.strictEqual(yield* told(find(secretIn(url))), "LinkExpired");
      yield* TestClock.setTime(NOW);
      yield* close(secretIn(url));
      assert.strictEqual(yield* told(close(secretIn(url))), "LinkExpired", "it ends once");
      assert.strictEqual(yield* told(find(secretIn(url))), "LinkExpired");
      assert.strictEqual(state.attempts.size, 0);
    }).pipe(Effect.provide(layer));
  });

  it.effect("works no longer than the key that asked for it [S11.3-1]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const { make, find } = yield* ConnectLinks;
      const secret = secretIn(yield* make({ redirectUrl: "https://crm.test/" }, { reach: null, key: "k" }));
      assert.strictEqual(yield* told(find(secret)), "LinkExpired");
      for (const [expiresAt, expected] of [
        [null, "done"],
        [NOW + 1, "done"],
        [NOW, "LinkExpired"],
      ] as const) {
        state.keys.set("k", expiresAt);
        assert.strictEqual(yield* told(find(secret)), expected);
      }
    }).pipe(Effect.provide(layer));
  });
});

describe("a consent", () => {
  const START = { app: "corp", address: "me@x.test", link: null, browser: Redacted.make("cookie"), network: "n" };

  it.effect("leads to the provider with a state, a nonce and a verifier of its own [S11.3-12]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const { begin, redirectUri } = yield* Consents;
      assert.strictEqual(redirectUri, "https://mail.test/oauth/callback");
      const { url, state: id } = yield* begin(START);
      assert.strictEqual(url, `https://id.test/?state=${id}`);
      const [request] = state.requests as ReadonlyArray<any>;
      assert.deepInclude(request, { redirectUri, state: id, loginHint: "me@x.test" });
      assert.strictEqual(new Set([request.state, request.nonce, Redacted.value(request.verifier)]).size, 3);
      // RFC 7636, 4.1: a verifier has 43 to 128 characters.
      assert.strictEqual(String(Redacted.value(request.verifier)).length, 64);
      const kept = state.attempts.get(`hash of ${id}`);
      assert.deepInclude(kept, {
        _tag: "Consent",
        expiresAt: NOW + TEN_MINUTES,
        browser: "hash of cookie",
        app: "corp",
        nonce: request.nonce,
        network: "n",
      });
    }).pipe(Effect.provide(layer));
  });

  it.effect("is limited to fifty of one network at a time [S11.3-16]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      const { begin } = yield* Consents;
      state.begun = 49;
      assert.strictEqual(yield* told(begin(START)), "done");
      state.begun = 50;
      assert.strictEqual(yield* told(begin(START)), "TooManyConsents");
    }).pipe(Effect.provide(layer));
  });

  it.effect("counts once, within ten minutes, in the browser that began it [S11.3-13]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      const { begin, take } = yield* Consents;
      const takeAt = (after: number, browser = "cookie") =>
        Effect.gen(function* () {
          yield* TestClock.setTime(NOW);
          const { state: id } = yield* begin(START);
          yield* TestClock.setTime(NOW + after);
          const first = yield* told(take(id, Redacted.make(browser)));
          return [first, yield* told(take(id, START.browser))];
        });
      assert.deepStrictEqual(yield* takeAt(TEN_MINUTES - 1), ["done", "ConsentExpired"]);
      assert.deepStrictEqual(yield* takeAt(TEN_MINUTES), ["ConsentExpired", "ConsentExpired"]);
      assert.deepStrictEqual(yield* takeAt(0, "another"), ["ConsentExpired", "done"]);
      state.attempts.set("hash of link", {
        _tag: "Link",
        id: "hash of link",
        expiresAt: NOW * 2,
        request: { address: null, app: null, tags: null, reach: null },
        redirectUrl: "",
        state: null,
      });
      assert.strictEqual(yield* told(take("link", START.browser)), "ConsentExpired");
      assert.isTrue(state.attempts.has("hash of link"));
    }).pipe(Effect.provide(layer));
  });

  it.effect("is finished by its code, with the nonce and the verifier that it began with", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const { begin, take, finish } = yield* Consents;
      const { state: id } = yield* begin(START);
      const consent = yield* take(id, START.browser);
      const offered = yield* finish(consent, id, Redacted.make("https://mail.test/oauth/callback?code=1"));
      const { nonce, verifier } = consent;
      assert.deepStrictEqual(state.requests.at(-1), {
        redirectUri: "https://mail.test/oauth/callback",
        state: id,
        nonce,
        verifier: Redacted.value(verifier),
        callbackUrl: "https://mail.test/oauth/callback?code=1",
      });
      assert.deepInclude(offered, { app: app(), askedAt: NOW, delegateOf: null });
      assert.strictEqual(Redacted.value(offered.token), "access");
    }).pipe(Effect.provide(layer));
  });
});
