import {
  AppMisconfigured,
  AuthorizationServer,
  CallbackRejected,
  ConsentDenied,
  type DevicePoll,
  GrantRefused,
  type IssuedTokens,
  MAX_LIFETIME_SECONDS,
  type OAuthApp,
  type ProviderError,
  providerFault,
  type ProviderIdentity,
  ProviderUnavailable,
} from "@postern/core/oauth";
import { Clock, Effect, Layer, Redacted } from "effect";
import { ProviderInMemory } from "./ProviderInMemory.ts";
import { challengeOf, type GrantedTokens, type TokenRefusal } from "./TokenProvider.ts";

/** OAuth2 at the provider in memory. A hook knows the users of example.org. */
export const layer: Layer.Layer<AuthorizationServer, never, ProviderInMemory> = Layer.effect(
  AuthorizationServer,
  Effect.gen(function* () {
    const provider = yield* ProviderInMemory;

    const identityOf = (user: string): ProviderIdentity => ({
      issuer: provider.issuer,
      subject: `subject of ${user}`,
      address: user,
    });

    const reachable = Effect.suspend(() =>
      provider.conduct.isDown === true ? Effect.fail(new ProviderUnavailable({ retryAfter: null })) : Effect.void,
    );

    const ask = <A extends object>(
      { clientId, secret }: OAuthApp,
      run: (now: number) => A | TokenRefusal,
    ): Effect.Effect<A | TokenRefusal, ProviderUnavailable> =>
      Effect.flatMap(reachable, () =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const shown = secret._tag === "None" ? null : Redacted.value(secret.value);
          return provider.refusal(clientId, shown) ?? run(now);
        }),
      );

    const granted = <A extends object>(answer: A | TokenRefusal): Effect.Effect<A, ProviderError> =>
      isRefusal(answer) ? Effect.fail(errorOf(answer)) : Effect.succeed(answer);

    return AuthorizationServer.of({
      authorizationUrl: (app, { redirectUri, state, nonce, verifier, loginHint }) =>
        Effect.map(reachable, () => {
          const url = new URL("/authorize", provider.issuer);
          const parameters = {
            client_id: app.clientId,
            redirect_uri: redirectUri,
            response_type: "code",
            state,
            nonce,
            code_challenge: challengeOf(Redacted.value(verifier)),
            code_challenge_method: "S256",
            ...(loginHint === null ? {} : { login_hint: loginHint }),
          };
          for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
          return url.href;
        }),

      exchange: Effect.fnUntraced(function* (app, { callbackUrl, redirectUri, state, nonce, verifier }) {
        const { searchParams } = new URL(Redacted.value(callbackUrl));
        const once = (name: string) => (searchParams.getAll(name).length === 1 ? searchParams.get(name) : null);
        const code = once("code");
        if (once("state") !== state || once("iss") !== provider.issuer) return yield* new CallbackRejected();
        if (searchParams.has("error")) return yield* new ConsentDenied();
        if (code === null) return yield* new CallbackRejected();
        const answer = yield* ask(app, (now) => provider.exchange(code, redirectUri, Redacted.value(verifier), now));
        const tokens = yield* granted(answer);
        if (tokens.nonce !== nonce) return yield* new CallbackRejected();
        return { ...tokensOf(tokens), identity: identityOf(tokens.user) };
      }),

      refresh: (app, refreshToken) =>
        ask(app, (now) => provider.refresh(Redacted.value(refreshToken), now)).pipe(
          Effect.flatMap(granted),
          Effect.map(tokensOf),
        ),

      issue: (app, account) =>
        app.mode === "hook"
          ? hookToken(account)
          : ask(app, (now) => provider.issue(account, now)).pipe(Effect.flatMap(granted), Effect.map(tokensOf)),

      startDevice: (app) =>
        ask(app, () => provider.startDevice()).pipe(
          Effect.flatMap(granted),
          Effect.map(({ deviceCode, userCode }) => ({
            deviceCode: Redacted.make(deviceCode),
            userCode,
            verificationUrl: new URL("/activate", provider.issuer).href,
            expiresIn: 900,
            interval: 5,
          })),
        ),

      pollDevice: Effect.fnUntraced(function* (app, deviceCode) {
        const answer = yield* ask(app, (now) => provider.pollDevice(Redacted.value(deviceCode), now));
        const poll = isRefusal(answer) ? POLLS.get(answer.error) : undefined;
        if (poll !== undefined) return poll;
        const tokens = yield* granted(answer);
        return { _tag: "Authorized", tokens: { ...tokensOf(tokens), identity: identityOf(tokens.user) } };
      }),
    });
  }),
);

const POLLS: ReadonlyMap<string, DevicePoll> = new Map<string, DevicePoll>([
  ["authorization_pending", { _tag: "Pending" }],
  ["slow_down", { _tag: "SlowDown" }],
  ["access_denied", { _tag: "Denied" }],
  ["expired_token", { _tag: "Expired" }],
]);

const isRefusal = (answer: object): answer is TokenRefusal => "error" in answer;

const errorOf = ({ error, error_description: description }: TokenRefusal): ProviderError => {
  const said = providerFault(error, description);
  if (said._tag === "Grant") return new GrantRefused({ fault: said.fault });
  return said._tag === "App"
    ? new AppMisconfigured({ fault: said.fault })
    : new ProviderUnavailable({ retryAfter: null });
};

const tokensOf = ({ accessToken, lifetime, refreshToken }: GrantedTokens): IssuedTokens => ({
  accessToken: Redacted.make(accessToken),
  expiresIn: Math.min(lifetime, MAX_LIFETIME_SECONDS),
  refreshToken: refreshToken === null ? null : Redacted.make(refreshToken),
  identity: null,
});

const hookToken = (email: string): Effect.Effect<IssuedTokens, GrantRefused> =>
  email.endsWith("@example.org")
    ? Effect.succeed({
        accessToken: Redacted.make(`token of ${email}`),
        expiresIn: 600,
        refreshToken: null,
        identity: null,
      })
    : Effect.fail(new GrantRefused({ fault: "grant_revoked" }));
