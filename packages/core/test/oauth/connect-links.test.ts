import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory } from "../../src/accounts/index.ts";
import { type Application, Applications, type ServiceKey, ServiceKeys } from "../../src/auth/index.ts";
import { Creations } from "../../src/creations/index.ts";
import {
  AppNotFound,
  Apps,
  type ConnectAttempt,
  ConnectAttempts,
  ConnectLinks,
  OAuthSettings,
} from "../../src/oauth/index.ts";
import { linkKeyOf } from "../../src/oauth/ConnectAttempt.ts";
import { noTransaction, numberedIds, readableHashes } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const OPERATOR = { reach: null, key: null };
const REPEAT = { caller: "crm", key: "one", account: null };

/** Links of an application "crm" and of the operator, and the records of repeated requests. */
const world = (application: Partial<Application> | null = null) => {
  const attempts = new Map<string, ConnectAttempt>();
  const created = new Map<string, string>();
  const find = (id: string) => Effect.sync(() => Option.fromUndefinedOr(attempts.get(id)));
  const layer = ConnectLinks.layer.pipe(
    Layer.provide([
      Layer.succeed(OAuthSettings, { apps: [], baseUrl: "https://mail.test", operatorName: null }),
      Layer.mock(ConnectAttempts, {
        insert: (attempt) => Effect.sync(() => void attempts.set(attempt.id, attempt)),
        find,
        take: (id) => Effect.tap(find(id), () => Effect.sync(() => attempts.delete(id))),
      }),
      Layer.mock(Apps, { list: Effect.succeed([]), get: () => Effect.fail(new AppNotFound()) }),
      Layer.mock(AccountDirectory, { find: () => Effect.succeedNone }),
      Layer.mock(Applications, {
        find: (name) =>
          Effect.succeed(
            application !== null && name === "crm" ? Option.some(application as Application) : Option.none(),
          ),
      }),
      Layer.mock(ServiceKeys, {
        find: (id) =>
          Effect.succeed(
            id === "k"
              ? Option.some({ application: "crm", scopes: ["mail:read"], expiresAt: null } as unknown as ServiceKey)
              : Option.none(),
          ),
      }),
      Layer.mock(Creations, {
        once: (key, { operation, request }, create, again) => {
          const name = JSON.stringify([operation, request, key]);
          const claim = {
            begin: () => Effect.void,
            complete: (id: string) => Effect.sync(() => void created.set(name, id)),
          };
          const before = key === undefined ? undefined : created.get(name);
          return before === undefined ? create(claim) : Effect.map(again(before, claim), Option.getOrThrow);
        },
      }),
      readableHashes,
      numberedIds,
      noTransaction,
    ]),
  );
  const using = <A, E>(use: (links: ConnectLinks["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.andThen(TestClock.setTime(NOW), Effect.flatMap(ConnectLinks, use)), layer);
  return { attempts, using };
};

describe("a request for a connect link", () => {
  const redirected = (redirectUrl: string) =>
    world().using(({ make }) =>
      Effect.match(make({ redirectUrl }, OPERATOR), {
        onSuccess: () => null,
        onFailure: (error) => (error._tag === "InputInvalid" ? error.errors : error._tag),
      }),
    );

  it.effect.each([
    "https://crm.test",
    "https://crm.test:8443/back?a=b#c",
    "http://localhost/",
    "http://localhost:3000/back",
    "http://127.0.0.1:80/",
    "http://127.10.200.3/",
    "http://[::1]:3000/",
  ])("may lead back to %s [S11.3-2]", (url) =>
    Effect.gen(function* () {
      assert.isNull(yield* redirected(url));
    }),
  );

  it.effect.each([
    "http://crm.test/",
    "http://localhost.crm.test/",
    "http://mylocalhost/",
    "http://127.0.0.1.crm.test/",
    "http://128.0.0.1/",
    "ftp://localhost/",
    "javascript:alert(1)",
    "/back",
    "https://user@crm.test/",
    "https://:password@crm.test/",
    "http://user@localhost/",
  ])("may not lead back to %s [S11.3-2]", (url) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* redirected(url), [
        { field: "redirectUrl", message: "must be an https address, or http to this machine" },
      ]);
    }),
  );

  it.effect("keeps the address, the tags, the reach and the key with the link", () => {
    const { attempts, using } = world();
    return Effect.gen(function* () {
      const written = { redirectUrl: "https://crm.test/", email: "me@x.test", tags: ["vip"] };
      yield* using(({ make }) => make(written, { reach: ["*@x.test", "tag:vip"], key: "k" }));
      const [link] = attempts.values();
      assert.deepInclude(link, {
        request: { address: "me@x.test", app: null, tags: ["vip"], reach: ["*@x.test", "tag:vip"], key: "k" },
        state: null,
      });
    });
  });

  it.effect("is refused with a wrong address, an unknown app, and an account outside of the reach", () => {
    const { attempts, using } = world();
    const refused = (fields: object, reach: ReadonlyArray<string> | null = null) =>
      using(({ make }) => Effect.flip(make({ redirectUrl: "https://crm.test/", ...fields }, { reach, key: "k" })));
    return Effect.gen(function* () {
      const wrong = yield* refused({ email: "no address", redirectUrl: "http://crm.test/" });
      assert.deepStrictEqual(wrong._tag === "InputInvalid" && wrong.errors.map(({ field }) => field), [
        "redirectUrl",
        "email",
      ]);
      assert.strictEqual((yield* refused({ provider: "other" }))._tag, "AppNotFound");
      assert.strictEqual((yield* refused({ email: "me@y.test" }, ["*@x.test"]))._tag, "OutsideReach");
      assert.strictEqual((yield* refused({ state: "x".repeat(1_025) }))._tag, "InputInvalid");
      assert.strictEqual(attempts.size, 0);
    });
  });

  it.effect("gives the same link if it is repeated under its key, and another link without a key", () => {
    const { attempts, using } = world();
    return Effect.gen(function* () {
      const written = { redirectUrl: "https://crm.test/" };
      const urls = yield* using(({ make }) =>
        Effect.all([
          make(written, OPERATOR, REPEAT),
          make(written, OPERATOR, REPEAT),
          make(written, OPERATOR),
          make(written, OPERATOR),
        ]),
      );
      assert.deepStrictEqual([urls[1] === urls[0], new Set(urls).size, attempts.size], [true, 3, 3]);
      // Only a link that can be asked for again keeps its secret.
      const kept = [...attempts.values()].map((link) => link._tag === "Link" && link.secret);
      assert.deepStrictEqual(
        kept.map((secret) => secret && `https://mail.test/connect/${Redacted.value(secret)}`),
        [urls[0], undefined, undefined],
      );
    });
  });

  it.effect("gives no link if the repeated one was used meanwhile, or is no link", () => {
    const { attempts, using } = world();
    const again = using(({ make }) => Effect.exit(make({ redirectUrl: "https://crm.test/" }, OPERATOR, REPEAT)));
    return Effect.gen(function* () {
      yield* again;
      const [[id, link]] = [...attempts] as [[string, ConnectAttempt]];
      attempts.set(id, { ...link, _tag: "Device" } as unknown as ConnectAttempt);
      assert.strictEqual((yield* again)._tag, "Failure");
      attempts.clear();
      assert.strictEqual((yield* again)._tag, "Failure");
      attempts.set(id, link);
      assert.strictEqual((yield* again)._tag, "Success");
    });
  });
});

it("only a link of a key ends with the key", () => {
  const request = { address: null, app: null, tags: null, reach: null };
  const attempt = (_tag: string, key?: string) =>
    ({ _tag, request: { ...request, ...(key === undefined ? {} : { key }) } }) as unknown as ConnectAttempt;
  assert.deepStrictEqual(
    [attempt("Link", "k"), attempt("Link"), attempt("Device", "k"), attempt("Consent")].map(linkKeyOf),
    ["k", undefined, undefined, undefined],
  );
});

describe("the asker of a connect link", () => {
  const linkOf = (key: string | null) => ({
    _tag: "Link" as const,
    id: "l",
    expiresAt: NOW,
    request: { address: null, app: null, tags: null, reach: null, ...(key === null ? {} : { key }) },
    redirectUrl: "https://crm.test:8443/back",
    state: null,
  });
  const askerOf = (key: string | null, application: Partial<Application> | null = null) =>
    world(application).using((links) => links.askerOf(linkOf(key)));
  const BARE = { purpose: null, logo: null, colour: null };

  it.effect("is the site to which the operator's link leads, or that of a key that ended", () =>
    Effect.gen(function* () {
      for (const key of [null, "deleted"]) {
        assert.deepStrictEqual(yield* askerOf(key), { name: "crm.test", ...BARE, scopes: [] });
      }
    }),
  );

  it.effect("is the application of the key, as users see it, with the scopes of the key", () =>
    Effect.gen(function* () {
      const shown = { purpose: "Files your mail.", logo: "iVBOR", colour: "#102030" };
      const scopes = ["mail:read"] as const;
      assert.deepStrictEqual(yield* askerOf("k"), { name: "crm", ...BARE, scopes });
      assert.deepStrictEqual(yield* askerOf("k", { displayName: null, ...shown }), { name: "crm", ...shown, scopes });
      assert.deepStrictEqual(yield* askerOf("k", { displayName: "Acme CRM", ...BARE }), {
        name: "Acme CRM",
        ...BARE,
        scopes,
      });
    }),
  );
});
