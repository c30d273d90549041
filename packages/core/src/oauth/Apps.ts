import { Context, Effect, Layer, Option } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { AddressMalformed } from "../auth/index.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import type { KeyClaim, RepeatError } from "../creations/neighbours.ts";
import { accountIdOf, InputInvalid, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { checkerOf, type Page, pageOf, type PageRequest } from "../shared/neighbours.ts";
import { appOf, type OAuthAppInput } from "./app-input.ts";
import { checkConnection } from "./connect-request.ts";
import { AppReadOnly, AppNotFound } from "./errors.ts";
import type { OAuthApp } from "./OAuthApp.ts";
import { OAuthSettings } from "./OAuthSettings.ts";
import { OAuthApps } from "./ports/OAuthApps.ts";
import { appFields } from "./rules.ts";
import { signInApps } from "./sign-in-apps.ts";

const checkApp = checkerOf(appFields);

/** Returns the sort position of an app in a list sorted by ids. */
const byId = ({ id }: OAuthApp) => ({ at: 0, id });

/** An app; `isFixed` if it comes from the settings, so that the API cannot change it. */
export interface ListedApp {
  readonly app: OAuthApp;
  readonly isFixed: boolean;
}

/** The apps from the settings (`OAUTH_APPS`) and the apps created through the API (spec 11.1). */
export class Apps extends Context.Service<
  Apps,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<OAuthApp>, StoreUnavailable>;
    /** Returns an app. */
    readonly get: (id: string) => Effect.Effect<OAuthApp, AppNotFound | StoreUnavailable>;
    /** Returns a page of the apps with which users sign in (spec 11.3); for an address, only apps that may open its mailbox. */
    readonly ofSignIn: (
      email?: string,
      request?: PageRequest,
    ) => Effect.Effect<Page<OAuthApp>, InputInvalid | AddressMalformed | StoreUnavailable>;
    /** Returns all apps in the order of their ids. */
    readonly list: Effect.Effect<ReadonlyArray<ListedApp>, StoreUnavailable>;
    /** Returns a page of all apps in the order of their ids. */
    readonly page: (request: PageRequest) => Effect.Effect<Page<ListedApp>, InputInvalid | StoreUnavailable>;
    /** Creates an app, or replaces an app that the API created; once for each key. */
    readonly keep: (input: OAuthAppInput, key?: CreationKey) => Effect.Effect<OAuthApp, AppReadOnly | RepeatError>;
    readonly remove: (id: string) => Effect.Effect<void, InputInvalid | AppReadOnly | AppNotFound | StoreUnavailable>;
  }
>()("@postern/core/oauth/Apps") {
  static readonly layer = Layer.effect(
    Apps,
    Effect.gen(function* () {
      const { apps: fixed } = yield* OAuthSettings;
      const stored = yield* OAuthApps;
      const creations = yield* Creations;
      const transaction = yield* Transaction;
      const fixedWith = (id: string) => Option.fromUndefinedOr(fixed.find((app) => app.id === id));

      const find = (id: string) =>
        Option.match(fixedWith(id), { onNone: () => stored.find(id), onSome: (app) => Effect.succeedSome(app) });

      const list = Effect.map(stored.list, (all) =>
        [
          ...fixed.map((app) => ({ app, isFixed: true })),
          ...all.filter(({ id }) => Option.isNone(fixedWith(id))).map((app) => ({ app, isFixed: false })),
        ].toSorted((a, b) => (a.app.id < b.app.id ? -1 : 1)),
      );

      const keepOne = Effect.fnUntraced(function* (input: OAuthAppInput, claim: KeyClaim) {
        yield* checkApp(input);
        const read = appOf(input);
        if ("faults" in read) return yield* new InputInvalid({ errors: read.faults });
        const { app } = read;
        if (Option.isSome(fixedWith(app.id))) return yield* new AppReadOnly();
        yield* transaction.run(
          Effect.gen(function* () {
            yield* claim.complete(app.id);
            yield* stored.keep(app);
            yield* recordOperation("oauthApps.keep", { target: app.id });
          }),
        );
        return app;
      });

      return Apps.of({
        find,
        get: Effect.fnUntraced(function* (id) {
          const app = yield* find(id);
          return Option.isSome(app) ? app.value : yield* new AppNotFound();
        }),
        ofSignIn: Effect.fn("Apps.ofSignIn")(function* (email, request = {}) {
          yield* checkConnection({ email });
          const account = email === undefined ? Option.none() : accountIdOf(email);
          if (email !== undefined && Option.isNone(account)) return yield* new AddressMalformed();
          const apps = signInApps(
            (yield* list).map(({ app }) => app),
            Option.getOrNull(account),
          );
          return yield* pageOf(request, apps, byId);
        }),
        list,
        page: Effect.fn("Apps.page")(function* (request) {
          return yield* pageOf(request, yield* list, ({ app }) => byId(app));
        }),
        keep: Effect.fn("Apps.keep")((input, key) =>
          creations.once(
            key,
            { operation: "apps.keep", request: input },
            (claim) => keepOne(input, claim),
            stored.find,
          ),
        ),
        remove: Effect.fn("Apps.remove")(function* (id) {
          yield* checkApp({ id });
          if (Option.isSome(fixedWith(id))) return yield* new AppReadOnly();
          if (!(yield* stored.remove(id))) return yield* new AppNotFound();
          yield* recordOperation("oauthApps.remove", { target: id });
        }, transaction.run),
      });
    }),
  );
}
