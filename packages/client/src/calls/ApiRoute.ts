import type { PosternApi } from "@postern/api";
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api";

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer All> ? All : never;
type Endpoint = HttpApiGroup.Endpoints<Groups<typeof PosternApi>>;

/** As it is written on the wire: the contract's types have a slash after a group's own path. */
type Written<Path extends string> = Path extends `${infer Start}/` ? Start : Path;
type RouteOf<One> = One extends {
  readonly method: infer Method extends string;
  readonly path: infer Path extends string;
}
  ? `${Method} ${Written<Path>}`
  : never;
type EndpointAt<Route, One = Endpoint> = One extends unknown ? (RouteOf<One> extends Route ? One : never) : never;

/** Method and path of every endpoint of the contract, such as `GET /api/folders`. */
export type ApiRoute = RouteOf<Endpoint>;

type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [key in Name]?: undefined }
  : Record<string, never> extends Value
    ? { readonly [key in Name]?: Value }
    : { readonly [key in Name]: Value };

/** What an endpoint is asked with; what it does not take cannot be given. */
export type ApiRequest<Route extends ApiRoute> =
  EndpointAt<Route> extends infer One
    ? Part<"params", TypeOf<HttpApiEndpoint.Params<One>>> &
        Part<"query", TypeOf<HttpApiEndpoint.Query<One>>> &
        Part<"headers", TypeOf<HttpApiEndpoint.Headers<One>>> &
        Part<"payload", TypeOf<HttpApiEndpoint.Payload<One>>>
    : never;

/** What an endpoint answers with when all is well. */
export type ApiAnswer<Route extends ApiRoute> = TypeOf<HttpApiEndpoint.Success<EndpointAt<Route>>>;

type TypeOf<Schema> = [Schema] extends [never] ? never : Schema extends { readonly Type: infer Type } ? Type : never;
