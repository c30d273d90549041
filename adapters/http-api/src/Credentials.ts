import type { KeyNetworkRefused, StoreUnavailable, TokenRejected as Rejected, TooManyWrongKeys } from "@postern/api";
import { Authentication, KeyAuthentication, TokenRejected } from "@postern/core/auth";
import { Context, Effect, Layer, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import { answer } from "./answer.ts";
import type { Credential } from "./credential.ts";
import { keyClient } from "./key-client.ts";
import { PublicAddress } from "./PublicAddress.ts";
import { RequestAuthority } from "./RequestAuthority.ts";

/** Recognizes the credential of a request (spec 3.2, 3.5, 10.2). */
export class Credentials extends Context.Service<
  Credentials,
  {
    /** Returns the credential of a request with this bearer token, which is empty for a browser's. */
    readonly of: (
      bearer: string,
    ) => Effect.Effect<
      Credential,
      Rejected | KeyNetworkRefused | TooManyWrongKeys | StoreUnavailable,
      HttpServerRequest.HttpServerRequest
    >;
  }
>()("@postern/http-api/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const authentication = yield* Authentication;
      const keys = yield* KeyAuthentication;
      const { sessionCookie, trustedProxies } = yield* PublicAddress;

      const sessionOf = (bearer: string, { headers, cookies }: HttpServerRequest.HttpServerRequest) => {
        const cookie =
          bearer !== "" || sessionCookie === undefined || headers["cookie"] === undefined
            ? undefined
            : cookies[sessionCookie.name];
        return cookie === undefined ? authentication.byAccessToken(bearer) : authentication.byCookie(cookie);
      };

      const of = Effect.fnUntraced(function* (bearer: string) {
        const request = yield* HttpServerRequest.HttpServerRequest;
        const authority = yield* RequestAuthority;
        const vouched = authority === null ? undefined : yield* authority(request);
        if (vouched !== undefined) return { _tag: "Session" as const, account: vouched, sessionId: "" };
        const holder = yield* keys.holderOf(bearer, () => keyClient(request, trustedProxies));
        if (Option.isSome(holder)) return holder.value;
        if (authority !== null) return yield* new TokenRejected({ reason: "session_ended" });
        const { account, id } = yield* sessionOf(bearer, request);
        return { _tag: "Session" as const, account, sessionId: id };
      });

      return Credentials.of({ of: (bearer) => answer(of(bearer)) });
    }),
  );
}
