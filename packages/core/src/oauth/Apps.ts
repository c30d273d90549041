import { Context, Effect, Layer, Option } from "effect";
import type { StoreUnavailable } from "../shared/index.ts";
import { AppFixed, AppNotFound } from "./errors.ts";
import type { OAuthApp } from "./OAuthApp.ts";
import { OAuthSettings } from "./OAuthSettings.ts";
import { OAuthApps } from "./ports/OAuthApps.ts";

/** An app and whether the settings name it, which the API cannot change. */
export interface ListedApp {
  readonly app: OAuthApp;
  readonly isFixed: boolean;
}

/** The apps of the settings (`OAUTH_APPS`) and those made by the API (spec 11.1). */
export class Apps extends Context.Service<
  Apps,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<OAuthApp>, StoreUnavailable>;
    /** Returns an app. */
    readonly get: (id: string) => Effect.Effect<OAuthApp, AppNotFound | StoreUnavailable>;
    /** All apps in the order of their ids. */
    readonly list: Effect.Effect<ReadonlyArray<ListedApp>, StoreUnavailable>;
    /** Makes an app, or replaces one that the API made. */
    readonly keep: (app: OAuthApp) => Effect.Effect<void, AppFixed | StoreUnavailable>;
    readonly remove: (id: string) => Effect.Effect<void, AppFixed | AppNotFound | StoreUnavailable>;
  }
>()("@postern/core/oauth/Apps") {
  static readonly layer = Layer.effect(
    Apps,
    Effect.gen(function* () {
      const { apps: fixed } = yield* OAuthSettings;
      const stored = yield* OAuthApps;
      const fixedWith = (id: string) => Option.fromUndefinedOr(fixed.find((app) => app.id === id));

      const find = (id: string) =>
        Option.match(fixedWith(id), { onNone: () => stored.find(id), onSome: (app) => Effect.succeedSome(app) });

      return Apps.of({
        find,
        get: Effect.fnUntraced(function* (id) {
          const app = yield* find(id);
          return Option.isSome(app) ? app.value : yield* new AppNotFound();
        }),
        list: Effect.map(stored.list, (all) =>
          [
            ...fixed.map((app) => ({ app, isFixed: true })),
            ...all.filter(({ id }) => Option.isNone(fixedWith(id))).map((app) => ({ app, isFixed: false })),
          ].toSorted((a, b) => (a.app.id < b.app.id ? -1 : 1)),
        ),
        keep: Effect.fn("Apps.keep")(function* (app) {
          if (Option.isSome(fixedWith(app.id))) return yield* new AppFixed();
          yield* stored.keep(app);
        }),
        remove: Effect.fn("Apps.remove")(function* (id) {
          if (Option.isSome(fixedWith(id))) return yield* new AppFixed();
          if (!(yield* stored.remove(id))) return yield* new AppNotFound();
        }),
      });
    }),
  );
}
