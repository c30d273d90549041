import type { Routes } from "../contract/contract.d.ts";

/** Method and path of every endpoint of the contract, such as `GET /api/folders`. */
export type ApiRoute = keyof Routes;

/** The request of an endpoint. A field that the endpoint does not have is a type error. */
export type ApiRequest<Route extends ApiRoute> = Omit<Routes[Route], "answer"> & {
  readonly [part in Exclude<"params" | "query" | "headers" | "payload", keyof Routes[Route]>]?: undefined;
};

/** The answer of an endpoint to a request that succeeded. */
export type ApiAnswer<Route extends ApiRoute> = Routes[Route]["answer"];
