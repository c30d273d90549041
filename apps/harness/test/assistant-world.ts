import { createHash, randomBytes } from "node:crypto";
import { harness, type Harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";

/** An assistant with a document, and where it is redirected to. */
export const CLIENT = "https://assistant.example/client.json";
export const CALLBACK = "http://127.0.0.1:4567/callback";
export const RESOURCE = `${HARNESS_URL.origin}/mcp`;

/** The headers of a form that the page itself sends. */
const OWN = { "sec-fetch-site": "same-origin" };

/** Returns the document of a client. */
export const documentOf = (id: string, more: object = {}): string =>
  JSON.stringify({
    client_id: id,
    client_name: "Helpful <b>bank</b>",
    redirect_uris: ["http://127.0.0.1/callback", "https://app.example/cb?tenant=1"],
    token_endpoint_auth_method: "none",
    ...more,
  });

/** Makes a world in which the assistant has published its document. */
export const assistantWorld = Effect.tap(harness, ({ documents }) =>
  Effect.sync(() => documents.set(CLIENT, documentOf(CLIENT))),
);

type Fields = Readonly<Record<string, string | undefined>>;

const withoutUndefined = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined));

/** A request for authorization: its address, and the verifier behind its challenge. */
export const newRequest = (more: Fields = {}) => {
  const verifier = randomBytes(32).toString("base64url");
  const query = withoutUndefined({
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: CALLBACK,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: "state-1",
    resource: RESOURCE,
    scope: "mail:read mail:draft",
    ...more,
  });
  return { verifier, redirectUri: query["redirect_uri"] ?? "", path: `/oauth/authorize?${new URLSearchParams(query)}` };
};

/** Opens a page as a browser does, or sends a form of it. */
export const openPage = Effect.fnUntraced(function* (
  world: Harness,
  path: string,
  form?: Fields,
  headers: Readonly<Record<string, string>> = OWN,
) {
  const init = form === undefined ? {} : { method: "POST", body: new URLSearchParams(withoutUndefined(form)) };
  const response = yield* world.request(new Request(new URL(path, HARNESS_URL), { ...init, headers }));
  const text = yield* Effect.promise(() => response.text());
  const location = response.headers.get("location");
  const to = location === null ? undefined : new URL(location, HARNESS_URL);
  return { status: response.status, headers: response.headers, text, to, answer: to?.searchParams };
});

/** Signs a browser in on the page; returns its cookie. */
export const signInOnPage = Effect.fnUntraced(function* (world: Harness, path: string, email = "demo@postern.test") {
  const { headers } = yield* openPage(world, path, { email, password: "demo" });
  return (headers.get("set-cookie") ?? "").split(";", 1)[0]!;
});

/** Consents to a request in a browser that is signed in for it. */
export const consent = Effect.fnUntraced(function* (world: Harness, more: Fields = {}, level = "draft") {
  const request = newRequest(more);
  const cookie = yield* signInOnPage(world, request.path);
  const page = yield* openPage(world, request.path, { level }, { ...OWN, cookie });
  return { ...request, cookie, to: page.to, code: page.answer?.get("code") ?? undefined };
});

/** Sends a request to the token endpoint. */
export const askTokens = Effect.fnUntraced(function* (world: Harness, fields: Fields) {
  const body = new URLSearchParams(withoutUndefined(fields));
  const response = yield* world.request(new Request(new URL("/oauth/token", HARNESS_URL), { method: "POST", body }));
  const json = (yield* Effect.promise(() => response.json())) as Readonly<Record<string, string>>;
  return { status: response.status, json };
});

type Consented = Effect.Success<ReturnType<typeof consent>>;

/** Exchanges the code of a consent. */
export const redeem = (world: Harness, { code, redirectUri, verifier }: Consented, more: Fields = {}) =>
  askTokens(world, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    client_id: CLIENT,
    code_verifier: verifier,
    resource: RESOURCE,
    ...more,
  });

/** Exchanges a refresh token. */
export const renew = (world: Harness, token: string | undefined, more: Fields = {}) =>
  askTokens(world, { grant_type: "refresh_token", refresh_token: token, client_id: CLIENT, ...more });

/** Lists the tools with a token; returns the status and their names. */
export const listTools = Effect.fnUntraced(function* (world: Harness, token: string | undefined) {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
  };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } });
  const response = yield* world.request(new Request(new URL("/mcp", HARNESS_URL), { method: "POST", headers, body }));
  const json = (yield* Effect.promise(() => response.json())) as {
    readonly result?: { readonly tools: ReadonlyArray<{ readonly name: string }> };
  };
  return { status: response.status, names: json.result?.tools.map(({ name }) => name) };
});
