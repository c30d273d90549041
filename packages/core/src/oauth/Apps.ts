import { Context, Effect, Layer, Option } from "effect";
import { AddressMalformed } from "../auth/index.ts";
import { accountIdOf, InputInvalid, type StoreUnavailable } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { appOf, type OAuthAppInput } from "./app-input.ts";
import { checkConnection } from "./connect-request.ts";
import { AppFixed, AppNotFound } from "./errors.ts";
import type { OAuthApp } from "./OAuthApp.ts";
import { OAuthSettings } from "./OAuthSettings.ts";
import { OAuthApps } from "./ports/OAuthApps.ts";
import { appFields } from "./rules.ts";
import { signInApps } from "./sign-in-apps.ts";

const checkApp = checkerOf(appFields);

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
    /** The apps by which users sign in (spec 11.3); with an address those that may open its mailbox. */
    readonly ofSignIn: (
      email?: string,
    ) => Effect.Effect<ReadonlyArray<OAuthApp>, InputInvalid | AddressMalformed | StoreUnavailable>;
    /** All apps in the order of their ids. */
    readonly list: Effect.Effect<ReadonlyArray<ListedApp>, StoreUnavailable>;
    /** Makes an app, or replaces one that the API made. */
    readonly keep: (input: OAuthAppInput) => Effect.Effect<OAuthApp, InputInvalid | AppFixed | StoreUnavailable>;
    readonly remove: (id: string) => Effect.Effect<void, InputInvalid | AppFixed | AppNotFound | StoreUnavailable>;
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

      const list = Effect.map(stored.list, (all) =>
        [
          ...fixed.map((app) => ({ app, isFixed: true })),
          ...all.filter(({ id }) => Option.isNone(fixedWith(id))).map((app) => ({ app, isFixed: false })),
        ].toSorted((a, b) => (a.app.id < b.app.id ? -1 : 1)),
      );

      return Apps.of({
        find,
        get: Effect.fnUntraced(function* (id) {
          const app = yield* find(id);
          return Option.isSome(app) ? app.value : yield* new AppNotFound();
        }),
        ofSignIn: Effect.fn("Apps.ofSignIn")(function* (email) {
          yield* checkConnection({ email });
          const account = email === undefined ? Option.none() : accountIdOf(email);
          if (email !== undefined && Option.isNone(account)) return yield* new AddressMalformed();
          return signInApps(
            (yield* list).map(({ app }) => app),
            Option.getOrNull(account),
          );
        }),
        list,
        keep: Effect.fn("Apps.keep")(function* (input) {
          yield* checkApp(input);
          const read = appOf(input);
          if ("faults" in read) return yield* new InputInvalid({ errors: read.faults });
          const { app } = read;
          if (Option.isSome(fixedWith(app.id))) return yield* new AppFixed();
          yield* stored.keep(app);
          return app;
        }),
        remove: Effect.fn("Apps.remove")(function* (id) {
          yield* checkApp({ id });
          if (Option.isSome(fixedWith(id))) return yield* new AppFixed();
          if (!(yield* stored.remove(id))) return yield* new AppNotFound();
        }),
      });
    }),
  );
}
