import { PosternApi } from "@postern/api";
import { SignIn } from "@postern/core";
import { Effect, Redacted } from "effect";
import { HttpApiBuilder } from "effect/http-api";
import { answer } from "../answer.ts";

/** Seed 4.1. */
export const AuthHandlers = HttpApiBuilder.group(
  PosternApi,
  "auth",
  Effect.fn(function* (handlers) {
    const signIn = yield* SignIn;
    return handlers.handleAll({
      mobileLogin: ({ payload }) =>
        answer(signIn.withPassword(payload.email, Redacted.make(payload.password))).pipe(
          Effect.map((pair) => ({ ok: true as const, ...pair })),
        ),
    });
  }),
);
