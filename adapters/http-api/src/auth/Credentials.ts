import type {
  CredentialUnreadable,
  KeyNetworkRefused,
  StoreUnavailable,
  TokenRejected as Rejected,
  TooManyWrongKeys,
} from "@postern/api";
import { Authentication, KeyAuthentication, TokenRejected } from "@postern/core/auth";
import { Context, Effect, Layer, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import { answer, refuse } from "../problems/answer.ts";
import type { Credential } from "./credential.ts";
import { keyMisplaced } from "../problems/auth.ts";
import { keyClient } from "./key-client.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { RequestAuthority } from "./RequestAuthority.ts";
import { RequestId } from "../wire/RequestId.ts";

/** Recognizes the credential of a request (spec 3.2, 3.5, 10.2). */
export class Credentials extends Context.Service<
  Credentials,
  {
    /** Returns the credential of a request with this bearer token, which is empty for a browser's. */
    readonly of: (
      bearer: string,
    ) => Effect.Effect<
      Credential,
      Rejected | KeyNetworkRefused | TooManyWrongKeys | StoreUnavailable | CredentialUnreadable,
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
        if (vouched !== undefined) {
          yield* authentication.byHost(vouched);
          return { _tag: "Session" as const, account: vouched, sessionId: "" };
        }
        const holder = yield* keys.holderOf(bearer, () => keyClient(request, trustedProxies));
        if (Option.isSome(holder)) return holder.value;
        if (authority !== null) return yield* new TokenRejected({ reason: "session_ended" });
        const { account, id } = yield* sessionOf(bearer, request);
        return { _tag: "Session" as const, account, sessionId: id };
      });

      /** A key that is shown in another way is told the right one: signing in would not help it. */
      const misplaced = Effect.fnUntraced(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest;
        const shown = headers["authorization"];
        const isShown = headers["x-api-key"] !== undefined || (shown !== undefined && !/^bearer(?: |$)/i.test(shown));
        return isShown ? yield* refuse(keyMisplaced(yield* RequestId)) : undefined;
      });

      return Credentials.of({
        of: (bearer) => Effect.tapErrorTag(answer(of(bearer)), "unauthorized", misplaced),
      });
    }),
  );
}
