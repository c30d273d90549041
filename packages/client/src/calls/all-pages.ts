import type { AnyRequest } from "./api-call.ts";
import type { ApiCall, RequestOf } from "./ApiCall.ts";
import type { ApiAnswer, ApiRequest, ApiRoute } from "./ApiRoute.ts";

type Paged<Route extends ApiRoute> = Route extends ApiRoute
  ? ApiRequest<Route> extends { readonly query?: infer Query }
    ? [NonNullable<Query>] extends [never]
      ? never
      : "cursor" extends keyof NonNullable<Query>
        ? Route
        : never
    : never
  : never;

/** A listing with pages, such as `GET /api/inbox`. */
export type PagedRoute = Paged<ApiRoute>;

/** An item of a listing. */
export type ItemOf<Route extends PagedRoute> =
  ApiAnswer<Route> extends { readonly emails: ReadonlyArray<infer Item> }
    ? Item
    : ApiAnswer<Route> extends { readonly data: ReadonlyArray<infer Item> }
      ? Item
      : never;

/** Yields the items of all pages of a listing; fetches a page when the caller reaches it. */
export interface AllPages {
  <Route extends PagedRoute>(route: Route, ...request: RequestOf<Route>): AsyncGenerator<ItemOf<Route>, void>;
}

interface Page {
  readonly emails?: ReadonlyArray<unknown>;
  readonly data?: ReadonlyArray<unknown>;
  readonly nextCursor: string | null;
}

/** Returns the iterators over the listings of a service. They use `cursor`, so that arriving mail does not shift the pages. */
export const allPages = (call: ApiCall): AllPages => {
  const ask = call as (route: string, request: AnyRequest) => Promise<unknown>;
  async function* all(route: string, request: AnyRequest = {}): AsyncGenerator<unknown, void> {
    let query = request.query;
    for (;;) {
      const { emails, data = [], nextCursor } = (await ask(route, { ...request, query: query ?? {} })) as Page;
      yield* emails ?? data;
      if (nextCursor === null) return;
      query = { ...query, cursor: nextCursor };
    }
  }
  return all as AllPages;
};
