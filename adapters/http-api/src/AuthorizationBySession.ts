import { Authorization, CurrentPrincipal } from "@postern/api";
import type { AccountId } from "@postern/core/shared";
import { Authentication, TokenRejected } from "@postern/core/auth";
import { Effect, Layer, Redacted } from "effect";
import { HttpServerRequest } from "effect/http";
import { answer, refuse } from "./answer.ts";
import { tooManyRequests } from "./problems/requests.ts";
import { PublicAddress } from "./PublicAddress.ts";
import { readStrictly } from "./read-strictly.ts";
import { countOverShare } from "./request-metrics.ts";
import { RequestAuthority } from "./RequestAuthority.ts";
import { RequestId } from "./RequestId.ts";
import { RequestRecord } from "./RequestRecord.ts";
import { RequestShares } from "./RequestShares.ts";

/**
 * Lets requests through that show a good access token or the cookie of a browser's session (spec 3.2, 3.5), or those that
 * the host's `RequestAuthority` knows, as long as their account has not more than its share under way.
 */
export const AuthorizationBySession = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const authentication = yield* Authentication;
    const { sessionCookie } = yield* PublicAddress;
    const shares = yield* RequestShares;

    const sessionOf = (token: string, { headers, cookies }: HttpServerRequest.HttpServerRequest) => {
      const cookie =
        token !== "" || sessionCookie === undefined || headers["cookie"] === undefined
          ? undefined
          : cookies[sessionCookie.name];
      return cookie === undefined ? authentication.byAccessToken(token) : authentication.byCookie(cookie);
    };

    /** A request that the host vouches for belongs to no session kept here. */
    const principalOf = Effect.fnUntraced(function* (token: string) {
      const request = yield* HttpServerRequest.HttpServerRequest;
      const authority = yield* RequestAuthority;
      if (authority === null) {
        const { account, id } = yield* answer(sessionOf(token, request));
        return { account, sessionId: id };
      }
      const account = yield* authority(request);
      if (account === undefined) return yield* answer(new TokenRejected({ reason: "session_ended" }));
      return { account, sessionId: "" };
    });

    /** Until the last byte of the answer: a download or a stream holds as much as a request without an answer does. */
    const enter = Effect.fnUntraced(function* (account: AccountId) {
      if (shares.enter(account)) return yield* Effect.addFinalizer(() => Effect.sync(() => shares.leave(account)));
      yield* countOverShare;
      return yield* refuse(tooManyRequests(yield* RequestId));
    });

    return {
      bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
        const principal = yield* principalOf(Redacted.value(credential));
        (yield* RequestRecord).account = principal.account;
        yield* enter(principal.account);
        yield* readStrictly(endpoint);
        return yield* Effect.provideService(httpEffect, CurrentPrincipal, principal);
      }),
    };
  }),
);
