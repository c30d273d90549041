import {
  DeliveryLog,
  type Endpoint,
  Endpoints,
  isHeld,
  type LoggedDelivery,
  type SigningSecrets,
} from "@postern/core/webhooks";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { type FactOf, factsOf } from "../../Fact.ts";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { isSigned } from "../../servers/is-signed.ts";
import type { ReceivedPost } from "../../servers/WebhookReceivers.ts";

/**
 * Every event reaches every endpoint that subscribes to it at least once under one id, or its delivery ended according
 * to a rule. Ordered endpoints get events in their order, and every POST is signed with a secret of its endpoint.
 * [S7.1-3] [S7.5-1]
 */
export const deliveries: Invariant = {
  name: "deliveries",
  watch: (cluster) => {
    const secrets = new Map<string, Set<string>>();
    const keep = (endpointId: string, { current, next }: SigningSecrets) => {
      const known = secrets.get(endpointId) ?? new Set();
      for (const secret of [current, next?.secret]) if (secret !== undefined) known.add(Redacted.value(secret));
      secrets.set(endpointId, known);
    };
    return {
      answered: ({ port, method, args }) => {
        if (port !== "Endpoints") return;
        if (method === "insert") keep((args[0] as Endpoint).id, args[1] as SigningSecrets);
        if (method === "replaceSecrets") keep(args[0] as string, args[1] as SigningSecrets);
      },
      quiet: () => {
        const posts = Map.groupBy(cluster.receivers.posts, ({ url }) => url);
        for (const { post, eventId } of cluster.receivers.posts) {
          if (!isSigned(post, secrets.get(post.endpointId) ?? [])) {
            cluster.violate("deliveries", `a POST of ${eventId} to ${post.url} is signed with another secret`);
          }
        }
        for (const made of factsOf(cluster.facts, "EndpointMade")) {
          if (made.isSteady) checkEndpoint(cluster, made, posts.get(made.url) ?? []);
        }
      },
    };
  },
};

const checkEndpoint = (cluster: Cluster, made: FactOf<"EndpointMade">, posts: ReadonlyArray<ReceivedPost>): void => {
  const violate = (detail: string) => cluster.violate("deliveries", detail);
  const [found, logged] = cluster.ask((ports) =>
    Context.get(ports, Endpoints)
      .find(made.owner, made.id)
      .pipe((find) => logOf(ports, find)),
  );
  if (found === undefined) return violate(`the endpoint ${made.url} is gone`);
  const byEvent = Map.groupBy(
    logged.filter(({ delivery }) => delivery.trigger === "event"),
    ({ delivery }) => delivery.eventId,
  );
  for (const { delivery } of logged) {
    const name = `${delivery.type} for ${made.url}`;
    const delivered = posts.some(({ eventId, status }) => eventId === delivery.eventId && status === 200);
    if (delivery.state === "in_flight") violate(`${name} stays in flight`);
    if (delivery.state === "pending" && !isHeld(delivery, found)) violate(`${name} stays due`);
    if (delivery.state === "succeeded" && !delivered) violate(`${name} succeeded without a POST`);
    if (delivery.state === "cancelled") violate(`${name} is cancelled without a replay`);
  }
  if (made.owner._tag === "Account") {
    for (const event of eventsOf(cluster, made.owner.account)) {
      if (!made.events.includes(event.type)) continue;
      const count = byEvent.get(event.id)?.length ?? 0;
      if (count !== 1) violate(`${count} deliveries of ${event.type} for ${made.url}`);
    }
  }
  if (made.ordered) checkOrder(cluster, made.url, logged, posts);
};

const logOf = (ports: Context.Context<DeliveryLog>, find: ReturnType<Endpoints["Service"]["find"]>) =>
  Effect.gen(function* () {
    const endpoint = Option.getOrUndefined(yield* find);
    if (endpoint === undefined) return [undefined, []] as const;
    return [endpoint, yield* Context.get(ports, DeliveryLog).page(endpoint, {}, 1_000_000)] as const;
  });

/**
 * The first POSTs of the events of each ledger reach an ordered endpoint in their order. Events about a removed account
 * are in the ledger of its application.
 */
const checkOrder = (
  cluster: Cluster,
  url: string,
  logged: ReadonlyArray<LoggedDelivery>,
  posts: ReadonlyArray<ReceivedPost>,
): void => {
  const places = new Map(logged.map(({ delivery }) => [delivery.eventId, delivery]));
  const seen = new Set<string>();
  const newest = new Map<string, number>();
  for (const { eventId } of posts) {
    const place = places.get(eventId);
    if (place === undefined || seen.has(eventId)) continue;
    seen.add(eventId);
    const { account, position } = place;
    const last = newest.get(account) ?? 0;
    if (position < last) cluster.violate("deliveries", `${url} got event ${position} of ${account} after ${last}`);
    newest.set(account, Math.max(last, position));
  }
};
