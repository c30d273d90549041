import type { ApiAnswer, ApiRequest, ApiRoute } from "./ApiRoute.ts";

/** Routes whose body or answer is no JSON: `upload` and `events` of a client are for them. */
type Streamed = "POST /api/uploads" | "GET /api/events";

/** Calls an endpoint by its route, such as `GET /api/folders`, typed by the contract; rejects with `ApiProblem`. */
export interface ApiCall {
  <Route extends Exclude<ApiRoute, Streamed>>(
    route: Route,
    ...request: Record<string, never> extends ApiRequest<Route>
      ? [request?: ApiRequest<Route> & CallOptions]
      : [request: ApiRequest<Route> & CallOptions]
  ): Promise<ApiAnswer<Route>>;
}

/** What any call takes beside its request. */
export interface CallOptions {
  /** Ends the call, and the wait before a retry; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}
