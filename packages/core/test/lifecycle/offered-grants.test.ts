import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory } from "../../src/accounts/index.ts";
import { CredentialVault } from "../../src/auth/index.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { fetchOffered, type NamedGrant, offeredGrants } from "../../src/lifecycle/offered-grants.ts";
import {
  AccessTokens,
  appOf,
  Apps,
  AuthorizationServer,
  type Grant,
  Grants,
  type OAuthApp,
  type OAuthAppInput,
  OAuthApps,
  OAuthSettings,
} from "../../src/oauth/index.ts";
import { newGrant } from "../../src/oauth/neighbours.ts";
import { OutgoingJournal } from "../../src/send/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { noTransaction, withoutCreationKeys } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const ME = AccountId("me@x.test");
const OWNER = AccountId("owner@x.test");

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

/** A provider of these apps, with a record of its requests. */
const world = (apps: ReadonlyArray<OAuthApp>) => {
  const state = { grants: new Map<AccountId, Grant>(), asked: Array<string>(), rotates: true };
  const layer = Apps.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(OAuthSettings, { apps, baseUrl: "", operatorName: null }),
        Layer.mock(OAuthApps, { list: Effect.succeed([]), find: () => Effect.succeedNone }),
        Layer.mock(AuthorizationServer, {
          refresh: (_, token) =>
            Effect.sync(() => {
              state.asked.push(`refresh by ${Redacted.value(token)}`);
              return issued(state.rotates ? "rotated" : null);
            }),
          issue: (_, account) => Effect.sync(() => (state.asked.push(`issue for ${account}`), issued(null))),
        }),
        Layer.mock(AccessTokens, { of: (account) => Effect.succeed(Redacted.make(`token of ${account}`)) }),
        Layer.mock(Grants, { find: (account) => Effect.sync(() => Option.fromUndefinedOr(state.grants.get(account))) }),
        Layer.mock(CredentialVault, {}),
        withoutCreationKeys,
        noTransaction,
        Layer.mock(AccountDirectory, {
          countByState: Effect.succeed({ active: 0, needs_reauth: 0, paused: 0, unreachable: 0 }),
        }),
        Layer.mock(EventPublisher, {}),
        Layer.mock(OutgoingJournal, {} as never),
      ),
    ),
  );
  return { state, layer };
};

describe("a grant that an application names", () => {
  const NONE: NamedGrant = { app: undefined, refreshToken: undefined, delegateOf: undefined };
  const TOKEN = Redacted.make("given");
  const hook = app({ id: "hook", mode: "hook", tokenUrl: "https://t.test/", domains: ["x.test"] });
  const own = app({ id: "own", mode: "application", clientSecret: "s", domains: ["x.test"] });
  const limited = app({ id: "limited", domains: ["y.test"] });

  const offer = ({ layer }: ReturnType<typeof world>, grant: Partial<NamedGrant>, account = ME) =>
    Effect.andThen(
      TestClock.setTime(NOW),
      Effect.provide(
        Effect.flatMap(offeredGrants, (one) => fetchOffered(one, account, { ...NONE, ...grant })),
        layer,
      ),
    );
  const tell = (one: ReturnType<typeof world>, grant: Partial<NamedGrant>, account = ME) =>
    Effect.match(offer(one, grant, account), {
      onSuccess: () => "done",
      onFailure: (error) => ("reason" in error ? error.reason : error._tag),
    });
  const apps = () => world([app(), hook, own, limited]);

  it.effect("gets its first token by the refresh token, which stays if the provider does not rotate it [S11.2-1]", () =>
    Effect.gen(function* () {
      for (const rotates of [true, false]) {
        const one = apps();
        one.state.rotates = rotates;
        const offered = yield* offer(one, { app: "corp", refreshToken: TOKEN });
        assert.deepStrictEqual(one.state.asked, ["refresh by given"]);
        assert.strictEqual(Redacted.value(offered.issued!.refreshToken!), rotates ? "rotated" : "given");
        assert.deepInclude(offered, { askedAt: NOW, delegateOf: null });
        assert.strictEqual(Redacted.value(offered.token), "access");
      }
    }),
  );

  it.effect("gets its first token by the credentials of the app in application and hook mode [S11.2-1]", () =>
    Effect.gen(function* () {
      for (const id of ["hook", "own"]) {
        const one = apps();
        assert.isNull((yield* offer(one, { app: id })).issued?.refreshToken ?? null);
        assert.deepStrictEqual(one.state.asked, [`issue for ${ME}`]);
      }
    }),
  );

  it.effect("is refused if a refresh token is missing or not allowed, before the provider is asked [S11.2-2]", () =>
    Effect.gen(function* () {
      const one = apps();
      assert.match(yield* tell(one, { app: "corp" }), /^refreshToken is missing/);
      for (const id of ["hook", "own"])
        assert.match(yield* tell(one, { app: id, refreshToken: TOKEN }), /^refreshToken is not used/);
      assert.deepStrictEqual(one.state.asked, []);
    }),
  );

  it.effect("is refused for an address of another domain, before the provider is asked [S11.1-11] [S11.1-12]", () =>
    Effect.gen(function* () {
      const one = apps();
      const message = "the app is not for the domain of this address";
      assert.strictEqual(yield* tell(one, { app: "limited", refreshToken: TOKEN }), message);
      assert.strictEqual(yield* tell(one, { app: "own" }, AccountId("me@y.test")), message);
      assert.deepStrictEqual(one.state.asked, []);
    }),
  );

  it.effect("needs an app that is known", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tell(apps(), {}), "AppNotFound");
      assert.strictEqual(yield* tell(apps(), { app: "none" }), "AppNotFound");
    }),
  );

  it.effect("of a shared mailbox is the grant of its owner, who consented by the same app [S11.2-1]", () =>
    Effect.gen(function* () {
      const one = apps();
      assert.strictEqual(
        yield* tell(one, { delegateOf: OWNER }),
        "the account of delegateOf has no consent of its own",
      );
      const grant = newGrant(OWNER, OWNER, {
        app: app(),
        token: TOKEN,
        issued: issued("r"),
        askedAt: NOW,
        delegateOf: null,
      });
      one.state.grants.set(OWNER, { ...grant, delegateOf: ME });
      assert.strictEqual(
        yield* tell(one, { delegateOf: OWNER }),
        "the account of delegateOf has no consent of its own",
      );
      one.state.grants.set(OWNER, grant);
      assert.strictEqual(
        yield* tell(one, { delegateOf: OWNER, app: "own" }),
        "the account of delegateOf was connected by another app",
      );
      for (const named of ["corp", undefined]) {
        const offered = yield* offer(one, { delegateOf: OWNER, app: named });
        assert.deepInclude(offered, { app: app(), issued: null, askedAt: NOW, delegateOf: OWNER });
        assert.strictEqual(Redacted.value(offered.token), `token of ${OWNER}`);
      }
      assert.deepStrictEqual(one.state.asked, []);
    }),
  );
});
