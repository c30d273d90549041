import { assert, layer } from "@effect/vitest";
import { AuthorizationServer, type ConsentRequest, type OAuthApp, providerFault } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { Effect, type Layer, Redacted } from "effect";
import { OAuthProviders, type ProvidedApp } from "../../controls/OAuthProviders.ts";
import { errorOf } from "../error-of.ts";

const USER = "user@example.org";
const OTHER = "other@example.org";

/** Refusals of token endpoints, as providers write them (spec 11.4). */
export const REFUSALS: ReadonlyArray<readonly [error: string, description?: string]> = [
  ["invalid_grant"],
  ["invalid_grant", "AADSTS50173: The provided grant has expired due to it being revoked."],
  ["invalid_grant", "AADSTS700082: The refresh token has expired due to inactivity."],
  ["invalid_grant", "AADSTS70043: The refresh token has expired or is invalid due to sign-in frequency checks."],
  ["interaction_required", "AADSTS50076: You must use multi-factor authentication."],
  ["interaction_required", "AADSTS50079: You must enroll in multi-factor authentication."],
  ["invalid_grant", "AADSTS65001: The user or administrator has not consented to use the application."],
  ["invalid_client"],
  ["invalid_client", "AADSTS7000215: Invalid client secret provided."],
  ["invalid_client", "AADSTS7000222: The provided client secret keys are expired."],
  ["unauthorized_client", "AADSTS700016: Application was not found in the directory."],
  ["unauthorized_client", "AADSTS7000112: Application is disabled."],
  ["invalid_scope"],
  ["temporarily_unavailable"],
  ["server_error", "AADSTS90033: A transient error has occurred."],
  ["something_new"],
];

const requestOf = (n: number): ConsentRequest => ({
  redirectUri: "https://postern.example/oauth/callback",
  state: `state-${n}`,
  nonce: `nonce-${n}`,
  verifier: Redacted.make(`${n}`.padEnd(64, "v")),
});

const consent = Effect.fnUntraced(function* ({ app, consent }: ProvidedApp, request: ConsentRequest, user = USER) {
  const server = yield* AuthorizationServer;
  const url = yield* server.authorizationUrl(app, { ...request, loginHint: user });
  return { url: new URL(url), callbackUrl: Redacted.make(yield* consent(url, user)) };
});

const obtainGrant = Effect.fnUntraced(function* (provided: ProvidedApp, n = 1, user = USER) {
  const request = requestOf(n);
  const { callbackUrl } = yield* consent(provided, request, user);
  return yield* (yield* AuthorizationServer).exchange(provided.app, { ...request, callbackUrl });
});

const changeUrl = (url: Redacted.Redacted, change: (parameters: URLSearchParams) => void): Redacted.Redacted => {
  const parsed = new URL(Redacted.value(url));
  change(parsed.searchParams);
  return Redacted.make(parsed.href);
};

/** The contract of `AuthorizationServer` (spec 11). */
export const authorizationServerContract = <E>(
  name: string,
  live: Layer.Layer<AuthorizationServer | OAuthProviders, E>,
): void =>
  layer(live, { excludeTestServices: true })(name, (it) => {
    const start = Effect.flatMap(OAuthProviders, ({ start }) => start);

    it.effect("a consent gives tokens that open the mailboxes that the user may open [S11.3-12] [S11.3-15]", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const request = requestOf(1);
        const { url, callbackUrl } = yield* consent(provided, request);
        assert.deepInclude(Object.fromEntries(url.searchParams), {
          response_type: "code",
          client_id: provided.app.clientId,
          redirect_uri: request.redirectUri,
          state: request.state,
          nonce: request.nonce,
          login_hint: USER,
          code_challenge_method: "S256",
        });
        assert.notInclude(url.href, Redacted.value(request.verifier));
        const server = yield* AuthorizationServer;
        const extra = changeUrl(callbackUrl, (parameters) => parameters.set("session_state", "unknown"));
        const tokens = yield* server.exchange(provided.app, { ...request, callbackUrl: extra });
        assert.strictEqual(yield* provided.userOf(Redacted.value(tokens.accessToken)), USER);
        assert.isAtLeast(tokens.expiresIn, 1);
        assert.isNotNull(tokens.refreshToken);
      }),
    );

    it.effect("an identity stays with its user", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const { identity } = yield* obtainGrant(provided, 1);
        assert.strictEqual(identity.address, USER);
        assert.deepStrictEqual((yield* obtainGrant(provided, 2)).identity, identity);
        assert.notDeepEqual((yield* obtainGrant(provided, 3, OTHER)).identity, identity);
      }),
    );

    it.effect("a code is exchanged once, and only with its verifier", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const server = yield* AuthorizationServer;
        const [request, other] = [requestOf(1), requestOf(2)];
        const { callbackUrl } = yield* consent(provided, request);
        yield* server.exchange(provided.app, { ...request, callbackUrl });
        const again = yield* errorOf(server.exchange(provided.app, { ...request, callbackUrl }));
        assert.strictEqual(again._tag, "GrantRefused");
        const second = yield* consent(provided, other);
        const stolen = { ...other, ...second, verifier: request.verifier };
        assert.strictEqual((yield* errorOf(server.exchange(provided.app, stolen)))._tag, "GrantRefused");
      }),
    );

    it.effect("a callback of another request is refused, and asks the provider for nothing [S11.3-12] [S11.3-14]", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const server = yield* AuthorizationServer;
        const request = requestOf(1);
        const { callbackUrl } = yield* consent(provided, request);
        const before = yield* provided.requests;
        const changes: ReadonlyArray<(parameters: URLSearchParams) => void> = [
          (parameters) => parameters.set("state", "another"),
          (parameters) => parameters.delete("state"),
          (parameters) => parameters.append("state", request.state),
          (parameters) => parameters.set("iss", "https://elsewhere.example"),
          (parameters) => parameters.delete("iss"),
          (parameters) => parameters.delete("code"),
        ];
        for (const change of changes) {
          const rejected = { ...request, callbackUrl: changeUrl(callbackUrl, change) };
          assert.strictEqual((yield* errorOf(server.exchange(provided.app, rejected)))._tag, "CallbackRejected");
        }
        assert.strictEqual(yield* provided.requests, before);
        yield* server.exchange(provided.app, { ...request, callbackUrl });
      }),
    );

    it.effect("a code that another request obtained is refused by its nonce [S11.3-12]", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const server = yield* AuthorizationServer;
        const [mine, theirs] = [requestOf(1), requestOf(2)];
        const { callbackUrl } = yield* consent(provided, { ...theirs, verifier: mine.verifier }, OTHER);
        const swapped = changeUrl(callbackUrl, (parameters) => parameters.set("state", mine.state));
        const error = yield* errorOf(server.exchange(provided.app, { ...mine, callbackUrl: swapped }));
        assert.strictEqual(error._tag, "CallbackRejected");
      }),
    );

    it.effect("a denied consent fails as denied", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const server = yield* AuthorizationServer;
        const request = requestOf(1);
        const url = yield* server.authorizationUrl(provided.app, { ...request, loginHint: null });
        assert.isFalse(new URL(url).searchParams.has("login_hint"));
        const callbackUrl = Redacted.make(yield* provided.consent(url, null));
        const error = yield* errorOf(server.exchange(provided.app, { ...request, callbackUrl }));
        assert.strictEqual(error._tag, "ConsentDenied");
      }),
    );

    it.effect("a refresh token that is used up gives nothing more, and ends its successor", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const server = yield* AuthorizationServer;
        const first = (yield* obtainGrant(provided)).refreshToken!;
        const second = yield* server.refresh(provided.app, first);
        assert.strictEqual(yield* provided.userOf(Redacted.value(second.accessToken)), USER);
        assert.notStrictEqual(Redacted.value(second.refreshToken!), Redacted.value(first));
        for (const used of [first, second.refreshToken!]) {
          const error = yield* errorOf(server.refresh(provided.app, used));
          assert.deepInclude(error, { _tag: "GrantRefused", fault: "grant_revoked" });
        }
      }),
    );

    it.effect("a refresh token without a successor stays valid", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        yield* provided.conduct({ rotation: "none", lifetime: 60 });
        const { refreshToken } = yield* obtainGrant(provided);
        for (let n = 0; n < 2; n++) {
          const tokens = yield* (yield* AuthorizationServer).refresh(provided.app, refreshToken!);
          assert.isNull(tokens.refreshToken);
          assert.strictEqual(tokens.expiresIn, 60);
        }
      }),
    );

    it.effect("a token counts as valid for thirty days at most [S11.3-28]", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const { refreshToken } = yield* obtainGrant(provided);
        yield* provided.conduct({ lifetime: 1e300 });
        const { expiresIn } = yield* (yield* AuthorizationServer).refresh(provided.app, refreshToken!);
        assert.strictEqual(expiresIn, 30 * 86_400);
      }),
    );

    it.effect("a revoked consent refreshes nothing", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const { refreshToken } = yield* obtainGrant(provided);
        yield* provided.revoke(USER);
        const error = yield* errorOf((yield* AuthorizationServer).refresh(provided.app, refreshToken!));
        assert.deepInclude(error, { _tag: "GrantRefused", fault: "grant_revoked" });
      }),
    );

    it.effect.each(REFUSALS)("a refusal with %s (%s) fails with its fault", ([error, error_description]) =>
      Effect.gen(function* () {
        const provided = yield* start;
        const { refreshToken } = yield* obtainGrant(provided);
        yield* provided.conduct({ refusal: { error, ...(error_description && { error_description }) } });
        const fault = providerFault(error, error_description);
        const refused = yield* errorOf((yield* AuthorizationServer).refresh(provided.app, refreshToken!));
        if (fault._tag === "Unavailable") assert.strictEqual(refused._tag, "ProviderUnavailable");
        if (fault._tag === "Grant") assert.deepInclude(refused, { _tag: "GrantRefused", fault: fault.fault });
        if (fault._tag === "App") assert.deepInclude(refused, { _tag: "AppMisconfigured", fault: fault.fault });
      }),
    );

    it.effect("a provider that is down refuses nothing", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const { refreshToken } = yield* obtainGrant(provided);
        yield* provided.conduct({ isDown: true });
        const server = yield* AuthorizationServer;
        assert.strictEqual((yield* errorOf(server.refresh(provided.app, refreshToken!)))._tag, "ProviderUnavailable");
        yield* provided.conduct({});
        yield* server.refresh(provided.app, refreshToken!);
      }),
    );

    it.effect("an app with a wrong secret fails as misconfigured", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const { refreshToken } = yield* obtainGrant(provided);
        const app: OAuthApp = { ...provided.app, secret: { _tag: "ClientSecret", value: Redacted.make("wrong") } };
        const error = yield* errorOf((yield* AuthorizationServer).refresh(app, refreshToken!));
        assert.deepInclude(error, { _tag: "AppMisconfigured", fault: "client_secret_wrong" });
      }),
    );

    it.effect("a device waits for the user's decision", () =>
      Effect.gen(function* () {
        const provided = yield* start;
        const { startDevice, pollDevice } = yield* AuthorizationServer;
        const { deviceCode, userCode, verificationUrl, interval } = yield* startDevice(provided.app);
        assert.isTrue(URL.canParse(verificationUrl));
        assert.isAtLeast(interval, 1);
        assert.deepStrictEqual(yield* pollDevice(provided.app, deviceCode), { _tag: "Pending" });
        yield* provided.decideDevice(userCode, { user: USER });
        const done = yield* pollDevice(provided.app, deviceCode);
        assert(done._tag === "Authorized");
        assert.strictEqual(yield* provided.userOf(Redacted.value(done.tokens.accessToken)), USER);
        assert.isNotNull(done.tokens.refreshToken);
        for (const [decision, poll] of [
          ["denied", "Denied"],
          ["expired", "Expired"],
        ] as const) {
          const device = yield* startDevice(provided.app);
          yield* provided.decideDevice(device.userCode, decision);
          assert.deepStrictEqual(yield* pollDevice(provided.app, device.deviceCode), { _tag: poll });
        }
      }),
    );

    it.effect("an app's own credentials give a token without a user [S11.1-7]", () =>
      Effect.gen(function* () {
        const { app, userOf } = yield* start;
        const { issue } = yield* AuthorizationServer;
        const tokens = yield* issue({ ...app, mode: "application" }, AccountId(USER));
        assert.isNull(tokens.refreshToken);
        assert.isDefined(yield* userOf(Redacted.value(tokens.accessToken)));
      }),
    );

    it.effect("a token service gives the token of one mailbox, or refuses it [S11.1-8]", () =>
      Effect.gen(function* () {
        const app = yield* (yield* OAuthProviders).startHook;
        const { issue } = yield* AuthorizationServer;
        const tokens = yield* issue(app, AccountId(USER));
        assert.strictEqual(Redacted.value(tokens.accessToken), `token of ${USER}`);
        assert.isNull(tokens.refreshToken);
        const error = yield* errorOf(issue(app, AccountId("user@elsewhere.example")));
        assert.deepInclude(error, { _tag: "GrantRefused", fault: "grant_revoked" });
      }),
    );
  });
