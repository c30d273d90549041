import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { OAuthApp } from "../OAuthApp.ts";

/** Stores the apps that were created through the API, encrypted. Apps from the settings are not stored. */
export class OAuthApps extends Context.Service<
  OAuthApps,
  {
    /** Stores an app, or replaces the app with this id. */
    readonly keep: (app: OAuthApp) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (id: string) => Effect.Effect<Option.Option<OAuthApp>, StoreUnavailable>;
    /** Returns all apps in the order of their ids. */
    readonly list: Effect.Effect<ReadonlyArray<OAuthApp>, StoreUnavailable>;
    /** Removes an app; false if no app has this id. */
    readonly remove: (id: string) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/oauth/ports/OAuthApps") {}
