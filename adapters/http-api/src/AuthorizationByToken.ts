import { Authorization, CurrentPrincipal } from "@postern/api";
import { Authentication } from "@postern/core";
import { Effect, Layer, Redacted } from "effect";
import { answer } from "./answer.ts";

/** Lets requests through that carry a good access token (seed 5.1, 5.6). */
export const AuthorizationByToken = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const authentication = yield* Authentication;
    return {
      bearer: Effect.fnUntraced(function* (httpEffect, { credential }) {
        const session = yield* answer(authentication.byAccessToken(Redacted.value(credential)));
        return yield* Effect.provideService(httpEffect, CurrentPrincipal, {
          account: session.account,
          sessionId: session.id,
        });
      }),
    };
  }),
);
