import type { CallOptions } from "../contract/CallOptions.ts";
import type { ApiCall } from "./ApiCall.ts";
import { type Fetch, isJson, jsonBody, until } from "./send-to-service.ts";

/** A request to any route. */
export interface AnyRequest extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: unknown;
}

/**
 * Returns the calls of a service, over a `send` that resolves with successes. This module does not need effect at run
 * time.
 */
export const apiCall = (baseUrl: string, send: Fetch): ApiCall => {
  const call = async (route: string, request: AnyRequest = {}): Promise<unknown> => {
    const [method = "GET", path = "/"] = route.split(" ");
    const { headers, ...body } = request.payload === undefined ? {} : jsonBody(request.payload);
    const response = await send(`${baseUrl}${pathOf(path, request.params)}${queryOf(request.query)}`, {
      method,
      headers: { accept: "application/json", ...headers, ...request.headers },
      ...body,
      ...until(request.signal),
    });
    return isJson(response) ? response.json() : new Uint8Array(await response.arrayBuffer());
  };
  return call as ApiCall;
};

const pathOf = (path: string, params: AnyRequest["params"] = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));

const queryOf = (query: AnyRequest["query"] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
};
