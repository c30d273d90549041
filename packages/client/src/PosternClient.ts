import { PosternApi } from "@postern/api";
import { Effect } from "effect";
import { HttpClient } from "effect/http";
import { HttpApiClient } from "effect/http-api";
import type { SessionTokens } from "./SessionTokens.ts";
import { withSession } from "./with-session.ts";

export interface ClientOptions {
  /** Such as `https://mail.example.com`. */
  readonly baseUrl: string;
  /** Of an earlier sign-in. */
  readonly tokens?: SessionTokens;
  /** Told of every new pair, and of null when the session has ended: keep them where they outlive the process. */
  readonly onTokens?: (tokens: SessionTokens | null) => void;
}

/** Every endpoint of the contract by group and name, with the session looked after. */
export interface PosternClient extends HttpApiClient.ForApi<typeof PosternApi> {
  /** Signs in and uses the tokens from then on (spec 3.2). */
  readonly signIn: (
    email: string,
    password: string,
  ) => Effect.Effect<void, Effect.Error<ReturnType<HttpApiClient.ForApi<typeof PosternApi>["auth"]["mobileLogin"]>>>;
}

/** The typed client of the whole API, over whatever `HttpClient` is provided (`FetchHttpClient.layer` works anywhere). */
export const makeClient = (options: ClientOptions): Effect.Effect<PosternClient, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const baseUrl = options.baseUrl.replace(/\/+$/, "");
    let tokens = options.tokens ?? null;
    const replace = (replaced: SessionTokens | null): void => {
      tokens = replaced;
      options.onTokens?.(replaced);
    };
    const transformClient = (client: HttpClient.HttpClient) =>
      withSession(client, baseUrl, { current: () => tokens, replace });
    const api = yield* HttpApiClient.make(PosternApi, { baseUrl, transformClient });

    const signIn: PosternClient["signIn"] = (email, password) =>
      Effect.map(api.auth.mobileLogin({ payload: { email, password } }), ({ token, refreshToken }) =>
        replace({ token, refreshToken }),
      );
    return { ...api, signIn };
  });
