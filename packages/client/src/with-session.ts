import { TokenPair } from "@postern/api";
import { Deferred, Effect, Schema } from "effect";
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http";
import type { SessionTokens } from "./SessionTokens.ts";

/** The tokens in use, which a refresh replaces. */
export interface Session {
  readonly current: () => SessionTokens | null;
  readonly replace: (tokens: SessionTokens | null) => void;
}

type Refresh = Deferred.Deferred<SessionTokens | null, HttpClientError.HttpClientError>;
type Answer = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>;

const Refusal = Schema.Struct({ code: Schema.String });

/**
 * Signs requests, and where the access token has run out refreshes it and sends the request once more (spec 3.3). However many requests find that at a time, there is one refresh; it goes on if the request that asked
 * for it is given up, because the old refresh token is used up by then.
 */
export const withSession = (
  client: HttpClient.HttpClient,
  baseUrl: string,
  session: Session,
): HttpClient.HttpClient => {
  let refreshing: Refresh | null = null;

  const refresh = Effect.fnUntraced(function* ({ refreshToken }: SessionTokens) {
    const request = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(`${baseUrl}/api/auth/refresh`), {
      refreshToken,
    });
    const response = yield* client.execute(request);
    // Anything but a refusal may pass: the tokens stay, and the caller learns of its 401.
    if (response.status !== 200) {
      if (response.status === 401) session.replace(null);
      return null;
    }
    const pair = yield* Effect.option(Effect.flatMap(response.json, Schema.decodeUnknownEffect(TokenPair)));
    if (pair._tag === "None") return null;
    const { token, refreshToken: successor } = pair.value;
    session.replace({ token, refreshToken: successor });
    return session.current();
  });

  const successorOf = (used: SessionTokens): Effect.Effect<SessionTokens | null, HttpClientError.HttpClientError> =>
    Effect.suspend(() => {
      const current = session.current();
      if (current === null || current.token !== used.token) return Effect.succeed(current);
      if (refreshing !== null) return Deferred.await(refreshing);
      const outcome: Refresh = Deferred.makeUnsafe();
      const once = Effect.onExit(refresh(current), (exit) => {
        refreshing = null;
        return Deferred.done(outcome, exit);
      });
      const start = Effect.suspend(() => {
        refreshing = outcome;
        return Effect.forkDetach(once);
      });
      return Effect.andThen(Effect.uninterruptible(start), Deferred.await(outcome));
    });

  const hasRunOut = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<boolean> =>
    response.status !== 401
      ? Effect.succeed(false)
      : Effect.match(Effect.flatMap(response.json, Schema.decodeUnknownEffect(Refusal)), {
          onFailure: () => false,
          onSuccess: ({ code }) => code === "unauthorized",
        });

  const send = (request: HttpClientRequest.HttpClientRequest, tokens: SessionTokens | null): Answer =>
    client.postprocess(
      Effect.succeed(tokens === null ? request : HttpClientRequest.bearerToken(request, tokens.token)),
    );

  const exchange = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    const used = session.current();
    const response = yield* send(request, used);
    if (used === null || !(yield* hasRunOut(response))) return response;
    const successor = yield* successorOf(used);
    return successor === null ? response : yield* send(request, successor);
  });

  return HttpClient.makeWith((request) => Effect.flatMap(request, exchange), client.preprocess);
};
