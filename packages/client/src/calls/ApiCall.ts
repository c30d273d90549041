import type { CallOptions } from "../contract/CallOptions.ts";
import type { ApiAnswer, ApiRequest, ApiRoute } from "./ApiRoute.ts";

/** The argument for an endpoint's request; optional if the request has no required field. */
export type RequestOf<Route extends ApiRoute> =
  Record<string, never> extends ApiRequest<Route>
    ? [request?: ApiRequest<Route> & CallOptions]
    : [request: ApiRequest<Route> & CallOptions];

/** Routes whose body or answer is not JSON; clients serve them by `upload` and `events`. */
type Streamed = "POST /api/uploads" | "GET /api/events";

/** Calls an endpoint by its route, such as `GET /api/folders`, typed by the contract; rejects with `ApiProblem`. */
export interface ApiCall {
  <Route extends Exclude<ApiRoute, Streamed>>(route: Route, ...request: RequestOf<Route>): Promise<ApiAnswer<Route>>;
}
