import { PosternApi } from "@postern/api";
import { Effect } from "effect";
import { FetchHttpClient, HttpClient } from "effect/http";
import { HttpApiClient } from "effect/http-api";
import type { ClientOptions } from "./session/ClientOptions.ts";
import { connect } from "./session/connection.ts";

/** Every endpoint of the contract by group and name, as effects. Requests are signed and retried. */
export interface EffectClient extends HttpApiClient.ForApi<typeof PosternApi> {
  /** Signs in, and uses the tokens for later requests (spec 3.2). */
  readonly signIn: (
    email: string,
    password: string,
  ) => Effect.Effect<void, Effect.Error<ReturnType<HttpApiClient.ForApi<typeof PosternApi>["auth"]["mobileLogin"]>>>;
}

/** Returns a client for programs that use Effect. */
export const makeClient = (options: ClientOptions): Effect.Effect<EffectClient> =>
  Effect.gen(function* () {
    const { baseUrl, fetch, useTokens } = connect(options);
    const ours: typeof globalThis.fetch = (url, init = {}) => fetch(String(url), init);
    const transformClient = HttpClient.transformResponse(Effect.provideService(FetchHttpClient.Fetch, ours));
    const api = yield* HttpApiClient.make(PosternApi, { baseUrl, transformClient });
    const signIn: EffectClient["signIn"] = (email, password) =>
      Effect.map(api.auth.mobileLogin({ payload: { email, password } }), ({ token, refreshToken }) =>
        useTokens({ token, refreshToken }),
      );
    return { ...api, signIn };
  }).pipe(Effect.provide(FetchHttpClient.layer));
