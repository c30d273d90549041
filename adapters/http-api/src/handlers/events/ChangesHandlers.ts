import { CurrentPrincipal, PosternApi } from "@postern/api";
import { Authentication, KeyAuthentication, TokenRejected } from "@postern/core/auth";
import { AccountId } from "@postern/core/shared";
import { LiveEvents } from "@postern/core/lifecycle";
import { Effect, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../../problems/answer.ts";
import { keyClient } from "../../wire/request-client.ts";
import { PublicAddress } from "../../edge/PublicAddress.ts";
import { Readiness } from "../../edge/Readiness.ts";

/** Handlers of the feed of events (spec 7.10). A waiting request ends when the service stops. */
export const ChangesHandlers = handlerGroup(
  PosternApi,
  "changes",
  Effect.fn(function* (handlers) {
    const live = yield* LiveEvents;
    const authentication = yield* Authentication;
    const keys = yield* KeyAuthentication;
    const { stopping } = yield* Readiness;
    const { trustedProxies } = yield* PublicAddress;
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { account, key, sessionId } = yield* CurrentPrincipal;
        const client = keyClient(yield* HttpServerRequest.HttpServerRequest, trustedProxies);
        const ended = new TokenRejected({ reason: "session_ended" });
        const current = Effect.gen(function* () {
          if (key !== null) {
            const now = yield* keys.recheck(key.id, "events", client);
            if (Option.isNone(now)) return yield* ended;
            const { accounts: reach, application } = now.value;
            return account === null ? { reach, application } : { account: AccountId(account) };
          }
          const mine = AccountId(account!);
          const isLive = sessionId === "" || (yield* authentication.isLive(mine, sessionId));
          return isLive ? { account: mine } : yield* ended;
        });
        const part = (wait: number | undefined) => live.readFeed({ ...query, wait }, current);
        const { events, next, more } = yield* answer(
          Effect.raceFirst(part(query.wait), Effect.andThen(stopping, part(0))),
        );
        const text = new TextDecoder();
        return { ok: true as const, data: events.map(({ body }) => JSON.parse(text.decode(body))), next, more };
      }),
    });
  }),
);
