import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccessTokens } from "./AccessTokens.ts";
import { Apps } from "./Apps.ts";
import { AppNotFound, GrantInvalid, OTHER_DOMAIN, type ProviderError } from "./errors.ts";
import { mayOpen, type OAuthApp } from "./OAuthApp.ts";
import type { OfferedGrant } from "./OfferedGrant.ts";
import { AuthorizationServer } from "./ports/AuthorizationServer.ts";
import { Grants } from "./ports/Grants.ts";

/** How an application says that an account is opened by tokens. */
export interface NamedGrant {
  /** The id of the app; undefined where the app is that of `delegateOf`. */
  readonly app: string | undefined;
  /** Undefined for an app in application or hook mode. */
  readonly refreshToken: Redacted.Redacted | undefined;
  readonly delegateOf: AccountId | undefined;
}

/** Fetches the first access token of a grant that an application names (spec 11.2). */
export class GrantOffers extends Context.Service<
  GrantOffers,
  {
    readonly of: (
      account: AccountId,
      grant: NamedGrant,
    ) => Effect.Effect<OfferedGrant, AppNotFound | GrantInvalid | ProviderError | StoreUnavailable>;
  }
>()("@postern/core/oauth/GrantOffers") {
  static readonly layer = Layer.effect(
    GrantOffers,
    Effect.gen(function* () {
      const apps = yield* Apps;
      const grants = yield* Grants;
      const tokens = yield* AccessTokens;
      const server = yield* AuthorizationServer;

      const delegated = Effect.fnUntraced(function* (owner: AccountId, named: string | undefined, askedAt: number) {
        const grant = Option.getOrUndefined(yield* grants.find(owner));
        if (grant === undefined || grant.delegateOf !== null) {
          return yield* new GrantInvalid({ reason: "the account of delegateOf has no consent of its own" });
        }
        if (named !== undefined && named !== grant.app) {
          return yield* new GrantInvalid({ reason: "the account of delegateOf was connected by another app" });
        }
        const app = yield* apps.get(grant.app);
        return { app, token: yield* tokens.of(owner), issued: null, askedAt, delegateOf: owner };
      });

      const issuedBy = Effect.fnUntraced(function* (
        app: OAuthApp,
        account: AccountId,
        refreshToken: Redacted.Redacted | undefined,
      ) {
        // Before the app's credentials or a token service are used.
        if (!mayOpen(app, account)) return yield* new GrantInvalid({ reason: OTHER_DOMAIN });
        if (app.mode === "delegated" && refreshToken === undefined) {
          return yield* new GrantInvalid({ reason: "refreshToken is missing: users of this app consent" });
        }
        if (app.mode !== "delegated" && refreshToken !== undefined) {
          return yield* new GrantInvalid({ reason: "refreshToken is not used: this app has credentials of its own" });
        }
        if (refreshToken === undefined) return yield* server.issue(app, account);
        const issued = yield* server.refresh(app, refreshToken);
        return { ...issued, refreshToken: issued.refreshToken ?? refreshToken };
      });

      return GrantOffers.of({
        of: Effect.fn("GrantOffers.of")(function* (account, { app: id, refreshToken, delegateOf }) {
          const askedAt = yield* Clock.currentTimeMillis;
          if (delegateOf !== undefined) return yield* delegated(delegateOf, id, askedAt);
          const app = id === undefined ? yield* new AppNotFound() : yield* apps.get(id);
          const issued = yield* issuedBy(app, account, refreshToken);
          return { app, token: issued.accessToken, issued, askedAt, delegateOf: null };
        }),
      });
    }),
  );
}
