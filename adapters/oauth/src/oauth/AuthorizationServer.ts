import {
  AppMisconfigured,
  AuthorizationServer,
  CallbackRejected,
  ConsentDenied,
  GrantRefused,
  type OAuthApp,
  type ProviderError,
  ProviderUnavailable,
} from "@postern/core/oauth";
import { EgressGuard } from "@postern/core/shared";
import { type Cause, Duration, Effect, Layer, Redacted } from "effect";
import { AskFailed } from "../AskFailed.ts";
import { consentUrl, exchangeCode } from "../consent.ts";
import { guardedFetch } from "../guarded-fetch.ts";
import type { OAuthOptions } from "../OAuthOptions.ts";
import { askProvider, type Provider } from "../Provider.ts";
import { providerError, reasonOf } from "../provider-error.ts";
import { ProviderMetadata } from "../ProviderMetadata.ts";
import { issueByApp, pollDevice, refresh, startDevice } from "../token-requests.ts";
import { askTokenService } from "../token-service.ts";

/** Speaks OAuth2 and OpenID Connect over HTTP, with addresses that the egress guard returned (spec 11). */
export const layer = ({ timeout = "20 seconds", tlsOptions = {} }: OAuthOptions = {}): Layer.Layer<
  AuthorizationServer,
  never,
  EgressGuard
> =>
  Layer.unwrap(
    Effect.map(EgressGuard, (guard) => {
      const fetch = guardedFetch(guard, tlsOptions);
      return Layer.provide(overHttp(fetch, Duration.toMillis(timeout)), ProviderMetadata.layer(fetch));
    }),
  );

const overHttp = (
  fetch: ReturnType<typeof guardedFetch>,
  timeout: number,
): Layer.Layer<AuthorizationServer, never, ProviderMetadata> =>
  Layer.effect(
    AuthorizationServer,
    Effect.gen(function* () {
      const metadata = yield* ProviderMetadata;
      /** Apps whose last answer was unusable. Such an answer is logged once, and again only after a usable answer. */
      const failing = new Set<string>();

      const logUnusable = <A>(
        { id }: OAuthApp,
        operation: string,
        asked: Effect.Effect<A, AskFailed | Cause.TimeoutError>,
      ) =>
        asked.pipe(
          Effect.catch((failed) => {
            const error = failed._tag === "AskFailed" ? failed.error : failed;
            const failure = isOfPort(error) ? error : providerError(error);
            if (failure._tag !== "ProviderUnavailable" || failing.has(id)) return Effect.fail(failure);
            failing.add(id);
            return Effect.andThen(
              Effect.logWarning("an OAuth2 provider gives no usable answer", {
                app: id,
                operation,
                why: reasonOf(error),
              }),
              Effect.fail(failure),
            );
          }),
          Effect.tap(() => Effect.sync(() => failing.delete(id))),
        );

      const ask = <A>(app: OAuthApp, operation: string, run: (provider: Provider) => Promise<A>) =>
        logUnusable(app, operation, askProvider(fetch, metadata, timeout, app, run));

      const askHook = (app: OAuthApp, email: string) =>
        Effect.tryPromise({
          try: (signal) => askTokenService(fetch, app, email, signal),
          catch: (error) => new AskFailed({ error }),
        }).pipe(Effect.timeout(timeout));

      /** Replaces the errors of a callback in an operation without one by an outage of the provider. */
      const asksOnly = <A>(asked: Effect.Effect<A, Failure>): Effect.Effect<A, ProviderError> =>
        Effect.catchTags(asked, {
          ConsentDenied: () => Effect.fail(new ProviderUnavailable({ retryAfter: null })),
          CallbackRejected: () => Effect.fail(new ProviderUnavailable({ retryAfter: null })),
        });

      return AuthorizationServer.of({
        authorizationUrl: Effect.fn("AuthorizationServer.authorizationUrl")((app, request) =>
          asksOnly(ask(app, "consent", (provider) => consentUrl(provider, request))),
        ),
        exchange: Effect.fn("AuthorizationServer.exchange")((app, request) =>
          ask(app, "exchange", (provider) => exchangeCode(provider, request)),
        ),
        refresh: Effect.fn("AuthorizationServer.refresh")((app, refreshToken) =>
          asksOnly(ask(app, "refresh", (provider) => refresh(provider, Redacted.value(refreshToken)))),
        ),
        issue: Effect.fn("AuthorizationServer.issue")((app, account) =>
          asksOnly(
            app.mode === "hook"
              ? logUnusable(app, "issue", askHook(app, account))
              : ask(app, "issue", (provider) => issueByApp(provider, app, account)),
          ),
        ),
        startDevice: Effect.fn("AuthorizationServer.startDevice")((app) => asksOnly(ask(app, "device", startDevice))),
        pollDevice: Effect.fn("AuthorizationServer.pollDevice")((app, deviceCode) =>
          asksOnly(ask(app, "poll", (provider) => pollDevice(provider, Redacted.value(deviceCode)))),
        ),
      });
    }),
  );

/** The errors of the operations of the port. */
type Failure = ProviderError | ConsentDenied | CallbackRejected;

const isOfPort = (error: unknown): error is Failure =>
  [AppMisconfigured, CallbackRejected, ConsentDenied, GrantRefused, ProviderUnavailable].some(
    (kind) => error instanceof kind,
  );
