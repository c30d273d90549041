import type { LiveWorld } from "./live-world.ts";
import type { JsonSchema, Operation, Parameter } from "./operations.ts";
import { members } from "./samples.ts";

/** A request to an operation, with a label of what it tests. */
export interface MadeRequest {
  readonly operation: Operation;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Returns valid requests to an operation: with each parameter and member alone, and with all together. */
export const validRequests = (world: LiveWorld, operation: Operation): ReadonlyArray<MadeRequest> => {
  const { path, parameters, media, body } = operation;
  const asked = (place: Parameter["in"]) =>
    members(world, path, {
      properties: Object.fromEntries(
        parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema]),
      ),
    });
  const [queries, headers] = [asked("query"), asked("header")];
  const made = () => (media === "application/json" ? members(world, path, body) : [undefined]);
  const bodies = made();
  const plain = { operation, query: {}, headers: headers[0]!, body: bodies[0] };
  return [
    plain,
    ...queries.slice(1).map((query) => ({ ...plain, query })),
    // A separate body for each request, because the object that it names may exist after the first request.
    ...headers.slice(1).map((header) => ({ ...plain, headers: header, body: made()[0] })),
    ...bodies.slice(1).map((value) => ({ ...plain, body: value })),
  ];
};

/** Returns requests with an unknown parameter or member, and its name. */
export const unknownRequests = (
  world: LiveWorld,
  operation: Operation,
): ReadonlyArray<readonly [field: string, request: MadeRequest]> => {
  const valid = validRequests(world, operation);
  const all = valid.at(-1)!;
  const inQuery = { ...all, query: { ...all.query, [UNKNOWN]: "1" } };
  if (operation.media !== "application/json") {
    const inBody =
      operation.media === undefined && operation.method !== "GET" ? [{ ...all, body: { [UNKNOWN]: 1 } }] : [];
    return [[UNKNOWN, inQuery], ...inBody.map((request) => [UNKNOWN, request] as const)];
  }
  const places = valid.flatMap(({ body }) => objectsIn(operation.body, body).map((path) => ({ body, path })));
  const first = new Map(places.map((place) => [place.path.join("."), place]));
  return [
    [UNKNOWN, inQuery],
    ...[...first.values()].map(
      ({ body, path }) => [[...path, UNKNOWN].join("."), { ...all, body: withUnknown(body, path) }] as const,
    ),
  ];
};

const UNKNOWN = "zz_unknown";

/** Returns the paths of all objects with known members in a body. */
const objectsIn = (schema: JsonSchema, value: unknown): ReadonlyArray<ReadonlyArray<string>> => {
  if (typeof value !== "object" || value === null) return [];
  const kinds = schema.anyOf ?? [schema];
  if (Array.isArray(value)) {
    const items = kinds.flatMap(({ items: each }) => (each === undefined ? [] : [each]));
    return value.flatMap((one, n) => items.flatMap((each) => objectsIn(each, one)).map((path) => [String(n), ...path]));
  }
  return kinds.flatMap(({ properties }) =>
    properties === undefined
      ? []
      : [
          [],
          ...Object.entries(value).flatMap(([name, member]) =>
            objectsIn(properties[name] ?? {}, member).map((path) => [name, ...path]),
          ),
        ],
  );
};

const withUnknown = (value: unknown, [name, ...rest]: ReadonlyArray<string>): unknown => {
  if (name === undefined) return { ...(value as object), [UNKNOWN]: 1 };
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = withUnknown(copy[name], rest);
  return copy;
};

/** Sends a request; returns its answer, with the body unless that is a stream. */
export const sent = async (
  world: LiveWorld,
  { operation, query, headers, body }: MadeRequest,
  token = operation.isOfAdmin ? world.adminKey : world.token,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> => {
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  const form = operation.media === "multipart/form-data" ? new FormData() : undefined;
  form?.append("file", new Blob(["contents"]), "made.txt");
  const enough = new AbortController();
  const response = await fetch(`${world.base}${await world.pathOf(operation)}${search}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(headers as Record<string, string>),
    },
    signal: enough.signal,
    ...(form === undefined ? {} : { body: form }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isEndless = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = isEndless ? "" : await response.text();
  if (isEndless) enough.abort();
  return { status: response.status, headers: response.headers, text };
};
