import { Authorization, CurrentPrincipal } from "@postern/api";
import { Authentication } from "@postern/core";
import { Effect, Layer, Redacted } from "effect";
import { HttpServerRequest } from "effect/http";
import { answer } from "./answer.ts";
import { PublicAddress } from "./PublicAddress.ts";
import { readStrictly } from "./read-strictly.ts";

/** Lets requests through that show a good access token or the cookie of a browser's session (seed 5.1, 5.5, 5.6). */
export const AuthorizationBySession = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const authentication = yield* Authentication;
    const { sessionCookie } = yield* PublicAddress;

    const sessionOf = (token: string, { headers, cookies }: HttpServerRequest.HttpServerRequest) => {
      const cookie =
        token !== "" || sessionCookie === undefined || headers["cookie"] === undefined
          ? undefined
          : cookies[sessionCookie.name];
      return cookie === undefined ? authentication.byAccessToken(token) : authentication.byCookie(cookie);
    };

    return {
      bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const session = yield* answer(sessionOf(Redacted.value(credential), request));
        yield* readStrictly(endpoint);
        return yield* Effect.provideService(httpEffect, CurrentPrincipal, {
          account: session.account,
          sessionId: session.id,
        });
      }),
    };
  }),
);
