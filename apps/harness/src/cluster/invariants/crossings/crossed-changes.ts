import { Authentication, Keys, SessionTokens } from "@postern/core/auth";
import { sendingKeyOf } from "@postern/core/send";
import { Context, Effect } from "effect";
import { clientOf } from "../send/outbox-client.ts";
import type { Crossing } from "./Crossing.ts";

/** The time after which a use of a session is recorded again, in milliseconds. */
const USE_MILLIS = 301_000;
/** The time until a scheduled message is due, and the maximum delay of its attempt, in milliseconds. */
const AHEAD = 4_000;
const ATTEMPT_MILLIS = 2_000;
const SENT_MILLIS = 8_000;

/** A request with the access token that is served at the same time does not undo a refresh. */
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

/** All waiting messages of an application are sent after it is resumed, regardless of the time of their attempts. */
export const resumedWhileSent: Crossing = {
  name: "resumed",
  prepare: (visit, cluster, account) =>
    Effect.gen(function* () {
      const { send, copies } = clientOf(visit, cluster, account);
      const ask = <A, E>(use: (keys: Keys["Service"]) => Effect.Effect<A, E>) =>
        visit.ask("keys", (services) => use(Context.get(services, Keys)));
      const application = `application of ${account}`;
      const limits = { accounts: null, networks: null, expiresAt: null, notify: null, sendPerDay: 100 };
      const { key } = yield* ask((keys) => keys.make({ ...limits, application, name: "key", scopes: ["mail:send"] }));
      const { id } = yield* send("waiting", { by: sendingKeyOf(key), sendAt: visit.now + AHEAD });
      yield* ask((keys) => keys.suspend(application));
      yield* visit.wait(AHEAD + ATTEMPT_MILLIS);
      visit.same(copies(id, "waiting"), 0, "the copies of a message of a suspended application");
      return {
        about: application,
        held: ask((keys) => keys.resume(application)),
        meanwhile: visit.wait(ATTEMPT_MILLIS),
        after: visit.within(
          SENT_MILLIS,
          "a message of an application that was resumed is not sent",
          () => copies(id, "waiting") === 1,
        ),
      };
    }),
};
