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
 * Admits requests with a valid access token or session cookie (spec 3.2, 3.5), or those that the host's
 * `RequestAuthority` recognizes, while their account has no more than its share in flight.
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

    /** Returns the principal of a request; one that the host authenticates has no session here. */
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

    /** Counts the request until the last byte of its response, because downloads and streams last until then. */
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
