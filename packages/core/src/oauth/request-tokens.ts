import { Clock, Effect, Option, Redacted } from "effect";
import { Apps } from "./Apps.ts";
import { AppMisconfigured } from "./errors.ts";
import type { Grant } from "./Grant.ts";
import { APP_PAUSE, type RefreshOutcome } from "./grant-state.ts";
import { issuerOf, mayOpen, type OAuthApp } from "./OAuthApp.ts";
import { AuthorizationServer } from "./ports/AuthorizationServer.ts";

interface RefusedApp {
  /** The client that was refused. After a correction of the app this value differs, so that the provider is asked at once. */
  readonly client: string;
  readonly error: AppMisconfigured;
  readonly until: number;
}

/**
 * The ports that request access tokens, and the apps that were refused by their provider. One account retries for all
 * accounts of an app.
 */
export const tokenRequester = Effect.all({
  apps: Apps,
  server: AuthorizationServer,
  refusedApps: Effect.sync(() => new Map<string, RefusedApp>()),
});
type TokenRequester = Effect.Success<typeof tokenRequester>;

/** Requests an access token from the provider. Never fails: every failure is an outcome. */
export const requestToken = Effect.fnUntraced(function* (requester: TokenRequester, grant: Grant) {
  const askedAt = yield* Clock.currentTimeMillis;
  return yield* ask(requester, grant).pipe(
    Effect.map((answer): RefreshOutcome => ({ _tag: "Issued", askedAt, ...answer })),
    Effect.catchTags({
      GrantRefused: ({ fault }) => Effect.succeed<RefreshOutcome>({ _tag: "Refused", fault }),
      AppMisconfigured: () => Effect.succeed<RefreshOutcome>({ _tag: "Misconfigured" }),
      ProviderUnavailable: ({ retryAfter }) => Effect.succeed<RefreshOutcome>({ _tag: "Unavailable", retryAfter }),
      StoreUnavailable: () => Effect.succeed<RefreshOutcome>({ _tag: "Unavailable", retryAfter: null }),
    }),
  );
});

const ask = Effect.fnUntraced(function* (
  { apps, server, refusedApps }: TokenRequester,
  { app: id, account, refreshToken, issuedBy }: Grant,
) {
  const app = yield* apps.find(id);
  if (Option.isNone(app)) return yield* new AppMisconfigured({ fault: "client_unknown" });
  const now = yield* Clock.currentTimeMillis;
  const refusal = refusedApps.get(id);
  if (refusal !== undefined && refusal.client === clientOf(app.value) && now < refusal.until)
    return yield* refusal.error;
  // The app may have been replaced. A refresh token is never sent to another provider, and an app's own credentials
  // open only accounts in the app's domains.
  const isOther = issuedBy !== null && issuedBy !== issuerOf(app.value);
  const isBeyond = app.value.domains.length > 0 && !mayOpen(app.value, account);
  if (refreshToken === null ? isBeyond : isOther) return yield* new AppMisconfigured({ fault: "client_refused" });
  const issued = refreshToken === null ? server.issue(app.value, account) : server.refresh(app.value, refreshToken);
  const answered = Effect.map(issued, (tokens) => ({ tokens, issuedBy: issuerOf(app.value) }));
  return yield* Effect.tapErrorTag(answered, "AppMisconfigured", (error) => {
    refusedApps.set(id, { client: clientOf(app.value), error, until: now + APP_PAUSE });
    return Effect.logError("the provider refuses an OAuth2 app", { app: id, fault: error.fault });
  });
});

const clientOf = ({ clientId, secret }: OAuthApp): string =>
  JSON.stringify([clientId, secret._tag === "None" ? null : Redacted.value(secret.value)]);
