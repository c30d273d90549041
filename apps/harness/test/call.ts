import { type Harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";

/** Headers and body of a request. */
export interface Carried {
  readonly token?: string;
  readonly cookie?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to the service; returns its answer with the body. */
export const call = Effect.fnUntraced(function* (
  world: Harness,
  method: string,
  path: string,
  { token, cookie, json, headers }: Carried = {},
) {
  const response = yield* world.request(
    new Request(new URL(path, HARNESS_URL), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(cookie === undefined ? {} : { cookie }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  );
  const body = yield* Effect.promise((): Promise<any> => response.json());
  return { status: response.status, headers: response.headers, body };
});

/** Signs in a demo account as an API client. */
export const signIn = (world: Harness, password = "demo", email = "demo@postern.test") =>
  call(world, "POST", "/api/auth/mobile-login", { json: { email, password } });
