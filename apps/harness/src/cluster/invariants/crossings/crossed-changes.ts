import { Authentication, SessionTokens } from "@postern/core/auth";
import { Identities } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Crossing } from "./Crossing.ts";

/** After how long a use of a session is recorded again, in milliseconds. */
const USE_MILLIS = 301_000;

/** Of two requests that each make another identity the default, one is last: there is one default. */
export const defaultWhileDefault: Crossing = {
  name: "default",
  prepare: (visit, _, account) =>
    Effect.gen(function* () {
      const ask = <A, E>(use: (all: Identities["Service"]) => Effect.Effect<A, E>) =>
        visit.ask("identities", (services) => use(Context.get(services, Identities)));
      const create = (name: string) => ask((all) => all.create(account, { address: `${name}@far.test`, name }, true));
      const [one, other] = [yield* create("one"), yield* create("other")];
      const prefer = (id: string) => ask((all) => all.change(account, id, { isDefault: true }));
      return {
        held: prefer(one.id),
        meanwhile: prefer(other.id),
        after: Effect.map(
          ask((all) => all.page(account, {})),
          ({ items }) =>
            visit.same(items.filter(({ isDefault }) => isDefault).length, 1, "the number of default identities"),
        ),
      };
    }),
};

/** A refresh is not undone by a request with the access token that is served at the same time. */
export const usedWhileRefreshed: Crossing = {
  name: "used",
  prepare: (visit, _, account) =>
    Effect.gen(function* () {
      const pair = yield* visit.signIn(account);
      const use = visit.ask("use", (services) => Context.get(services, Authentication).byAccessToken(pair.token));
      const { id } = yield* use;
      yield* visit.wait(USE_MILLIS);
      let current = pair.refreshToken;
      const refresh = visit.ask("refresh", (services) => Context.get(services, SessionTokens).exchange(current));
      return {
        about: id,
        held: use,
        meanwhile: Effect.map(refresh, ({ refreshToken }) => (current = refreshToken)),
        after: Effect.map(
          Effect.suspend(() =>
            visit.tagOf("refresh", (services) => Context.get(services, SessionTokens).exchange(current)),
          ),
          (tag) => visit.same(tag, "Answered", "the next refresh after one beside a request"),
        ),
      };
    }),
};
