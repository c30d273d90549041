import { Clock, Context, Effect, Layer, Option, Redacted } from "effect";
import { Apps } from "./Apps.ts";
import { AppMisconfigured } from "./errors.ts";
import type { Grant } from "./Grant.ts";
import { APP_PAUSE, type RefreshOutcome } from "./grant-state.ts";
import { issuerOf, mayOpen, type OAuthApp } from "./OAuthApp.ts";
import { AuthorizationServer } from "./ports/AuthorizationServer.ts";

/** Requests access tokens from providers. It never fails: every failure is an outcome. */
export class TokenRequests extends Context.Service<
  TokenRequests,
  { readonly send: (grant: Grant) => Effect.Effect<RefreshOutcome> }
>()("@postern/core/oauth/TokenRequests") {
  static readonly layer = Layer.effect(
    TokenRequests,
    Effect.gen(function* () {
      const apps = yield* Apps;
      const server = yield* AuthorizationServer;
      /** The apps that their provider refused. One account retries for all accounts of an app. */
      const refusedApps = new Map<string, RefusedApp>();

      const ask = Effect.fnUntraced(function* ({ app: id, account, refreshToken, issuedBy }: Grant) {
        const app = yield* apps.find(id);
        if (Option.isNone(app)) return yield* new AppMisconfigured({ fault: "client_unknown" });
        const now = yield* Clock.currentTimeMillis;
        const refusal = refusedApps.get(id);
        if (refusal !== undefined && refusal.client === clientOf(app.value) && now < refusal.until)
          return yield* refusal.error;
        // The app may have been replaced. A refresh token is never sent to another provider, and an app's own
        // credentials open only accounts in its domains.
        const isOther = issuedBy !== null && issuedBy !== issuerOf(app.value);
        const isBeyond = app.value.domains.length > 0 && !mayOpen(app.value, account);
        if (refreshToken === null ? isBeyond : isOther) return yield* new AppMisconfigured({ fault: "client_refused" });
        const issued =
          refreshToken === null ? server.issue(app.value, account) : server.refresh(app.value, refreshToken);
        const answered = Effect.map(issued, (tokens) => ({ tokens, issuedBy: issuerOf(app.value) }));
        return yield* Effect.tapErrorTag(answered, "AppMisconfigured", (error) => {
          refusedApps.set(id, { client: clientOf(app.value), error, until: now + APP_PAUSE });
          return Effect.logError("the provider refuses an OAuth2 app", { app: id, fault: error.fault });
        });
      });

      const send = Effect.fnUntraced(function* (grant: Grant) {
        const askedAt = yield* Clock.currentTimeMillis;
        return yield* ask(grant).pipe(
          Effect.map((answer): RefreshOutcome => ({ _tag: "Issued", askedAt, ...answer })),
          Effect.catchTags({
            GrantRefused: ({ fault }) => Effect.succeed<RefreshOutcome>({ _tag: "Refused", fault }),
            AppMisconfigured: () => Effect.succeed<RefreshOutcome>({ _tag: "Misconfigured" }),
            ProviderUnavailable: ({ retryAfter }) =>
              Effect.succeed<RefreshOutcome>({ _tag: "Unavailable", retryAfter }),
            StoreUnavailable: () => Effect.succeed<RefreshOutcome>({ _tag: "Unavailable", retryAfter: null }),
          }),
        );
      });

      return TokenRequests.of({ send });
    }),
  );
}

interface RefusedApp {
  /** The client that was refused. If the app is corrected, this differs and the provider is asked at once. */
  readonly client: string;
  readonly error: AppMisconfigured;
  readonly until: number;
}

const clientOf = ({ clientId, secret }: OAuthApp): string =>
  JSON.stringify([clientId, secret._tag === "None" ? null : Redacted.value(secret.value)]);
