import { ApiProblem } from "./ApiProblem.ts";
import type { ApiAnswer, ApiRequest, ApiRoute } from "./ApiRoute.ts";

export * from "./ApiProblem.ts";
export type * from "./ApiRoute.ts";

export interface BrowserClientOptions {
  /** Default: where the page came from. Another origin gets no cookie, and answers none (spec 3). */
  readonly baseUrl?: string;
  /** Told of every 401: the session has ended, or never was. */
  readonly onUnauthorized?: (problem: ApiProblem) => void;
  /** Default: the browser's. */
  readonly fetch?: typeof fetch;
}

/** Asks an endpoint, typed by the contract; rejects with `ApiProblem`. */
export interface BrowserClient {
  <Route extends ApiRoute>(
    route: Route,
    ...request: Record<string, never> extends ApiRequest<Route>
      ? [request?: ApiRequest<Route> & Extras]
      : [request: ApiRequest<Route> & Extras]
  ): Promise<ApiAnswer<Route>>;
}

interface Extras {
  readonly signal?: AbortSignal;
}

interface AnyRequest extends Extras {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: unknown;
}

/**
 * The contract for pages of the service itself: the session is its cookie, which the browser looks after (spec 3).
 * Nothing of effect is in it at run time; the types alone come from the contract.
 */
export const browserClient = (options: BrowserClientOptions = {}): BrowserClient => {
  const ask = async (route: string, request: AnyRequest = {}): Promise<unknown> => {
    const [method = "GET", path = "/"] = route.split(" ");
    const hasBody = request.payload !== undefined;
    const response = await send(`${options.baseUrl ?? ""}${pathOf(path, request.params)}${queryOf(request.query)}`, {
      method,
      credentials: "same-origin",
      headers: { accept: "application/json", ...(hasBody ? JSON_BODY : {}), ...request.headers },
      ...(hasBody ? { body: JSON.stringify(request.payload) } : {}),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    if (response.ok) return response.json();
    const problem = await problemOf(response);
    if (problem.status === 401) options.onUnauthorized?.(problem);
    throw problem;
  };

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      return await (options.fetch ?? fetch)(url, init);
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      throw new ApiProblem(0, OFFLINE, null);
    }
  };

  return ask as BrowserClient;
};

const JSON_BODY = { "content-type": "application/json" };

const OFFLINE = { code: "offline", title: "The service cannot be reached from here." };

const pathOf = (path: string, params: AnyRequest["params"] = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));

const queryOf = (query: AnyRequest["query"] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
};

/** Returns any error answer as a problem, also one a proxy in between wrote in another format. */
export const problemOf = async (response: Response): Promise<ApiProblem> => {
  const body: unknown = await response.json().catch(() => null);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiProblem(response.status, body, Number.isFinite(seconds) ? seconds : null);
};
