import { type Harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { DEMO } from "./key-world.ts";

const REVISION = "2026-07-28";

interface Answer {
  readonly result?: {
    readonly tools: ReadonlyArray<{ readonly name: string }>;
    readonly isError?: boolean;
    readonly content: ReadonlyArray<{ readonly text: string }>;
    readonly structuredContent: {
      readonly undo: ReadonlyArray<object>;
      readonly id: string;
      readonly version: string;
    };
    readonly contents: ReadonlyArray<{ readonly text: string }>;
    readonly resultType?: string;
    readonly inputRequests?: {
      readonly approval: { readonly method: string; readonly params: { readonly mode: string; readonly url: string } };
    };
  };
  readonly error?: { readonly code: number };
}

const metaOf = (capabilities: object) => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  },
});

/** Sends one request of the current revision. */
export const rpc = Effect.fnUntraced(function* (
  world: Harness,
  token: string | undefined,
  method: string,
  params: {
    readonly name?: string;
    readonly uri?: string;
    readonly arguments?: object;
    readonly inputResponses?: object;
  } = {},
  more: Readonly<Record<string, string>> = {},
  capabilities: object = {},
) {
  const name = params.name ?? params.uri;
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "postern-account": DEMO,
    "mcp-protocol-version": REVISION,
    "mcp-method": method,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(name === undefined ? {} : { "mcp-name": name }),
    ...more,
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, ...metaOf(capabilities) } });
  const response = yield* world.request(new Request(new URL("/mcp", HARNESS_URL), { method: "POST", headers, body }));
  const json = yield* Effect.promise(() => response.json() as Promise<Answer>);
  return { status: response.status, headers: response.headers, ...json };
});

/** Calls a tool. */
export const callTool = (world: Harness, token: string, name: string, given: object) =>
  rpc(world, token, "tools/call", { name, arguments: given });
