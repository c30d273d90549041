import { Clock, Effect, Option } from "effect";
import type { EventType } from "../events/index.ts";
import { EVENT_TYPE_NAMES } from "../events/neighbours.ts";
import { type Page, type PageRequest, pageOf } from "../shared/neighbours.ts";
import type { Endpoint, EndpointView } from "./Endpoint.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";
import { EndpointNotFound } from "./errors.ts";
import type { Endpoints } from "./ports/Endpoints.ts";
import { secretHint, secretsAt, type SigningSecrets } from "./signing-secrets.ts";

/** Returns the last characters of the active secret; `…` for secrets that cannot be decrypted. */
export const hintAt = (secrets: Option.Option<SigningSecrets>, now: number): string =>
  Option.match(secrets, { onNone: () => "…", onSome: (known) => secretHint(secretsAt(known, now).current) });

/** Returns the secrets of an endpoint. */
export const secretsOf = Effect.fnUntraced(function* (endpoints: Endpoints["Service"], id: string) {
  const secrets = (yield* endpoints.secrets([id])).get(id);
  return secrets === undefined ? yield* new EndpointNotFound() : secrets;
});

/** Returns an endpoint with a hint at its secret. */
export const viewEndpoint = Effect.fnUntraced(function* (endpoints: Endpoints["Service"], endpoint: Endpoint) {
  const secrets = yield* secretsOf(endpoints, endpoint.id);
  return { endpoint, secretHint: hintAt(secrets, yield* Clock.currentTimeMillis) };
});

/** Returns a page of the endpoints of an owner, oldest first. */
export const listEndpoints = Effect.fnUntraced(function* (
  endpoints: Endpoints["Service"],
  owner: EndpointOwner,
  request: PageRequest,
) {
  const placeOf = ({ createdAt, id }: Endpoint) => ({ at: createdAt, id });
  const { items, nextCursor } = yield* pageOf(request, yield* endpoints.list(owner), placeOf);
  if (items.length === 0) return { items: [], nextCursor };
  const secrets = yield* endpoints.secrets(items.map(({ id }) => id));
  const now = yield* Clock.currentTimeMillis;
  // An endpoint without secrets was deleted meanwhile.
  const views = items.flatMap((endpoint): ReadonlyArray<EndpointView> => {
    const known = secrets.get(endpoint.id);
    return known === undefined ? [] : [{ endpoint, secretHint: hintAt(known, now) }];
  });
  return { items: views, nextCursor } satisfies Page<EndpointView>;
});

/** Returns a page of the event types that an endpoint can name. */
export const listEventTypes = (request: PageRequest) =>
  pageOf(request, EVENT_TYPE_NAMES, (type: EventType) => ({ at: EVENT_TYPE_NAMES.indexOf(type), id: type }));
