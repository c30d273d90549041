import type { EventType } from "@postern/core/events";
import { type EndpointOwner, WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../Cluster.ts";
import { type FactOf, factsOf } from "../Fact.ts";
import type { Script } from "../Script.ts";
import { USERS } from "./accounts.ts";
import { repeatRequest } from "./repeat-request.ts";

const EVENTS: ReadonlyArray<EventType> = ["email.received", "email.sent", "email.failed", "email.bounced"];

/** Gives each user an endpoint that no act changes. */
export const createEndpoints = (cluster: Cluster): void => {
  for (const account of USERS) {
    createEndpoint(cluster, { _tag: "Account", account }, `https://steady.sim.test/${account}`, EVENTS, true);
  }
};

/** Creates an endpoint, and records it as a fact. */
export const createEndpoint = (
  cluster: Cluster,
  owner: EndpointOwner,
  url: string,
  events: ReadonlyArray<EventType>,
  isSteady: boolean,
): void => {
  const { random, facts } = cluster;
  const request = {
    url,
    description: "",
    events,
    disablePolicy: random.chance(0.5) ? ("no_success" as const) : ("literal" as const),
    honourRetryAfter: random.chance(0.5),
    ordered: random.chance(0.4),
    maxInFlight: random.between(1, 5),
  };
  repeatRequest(
    cluster,
    `create the endpoint ${url}`,
    (services) => Context.get(services, WebhookEndpoints).create(owner, request),
    ({ endpoint: { id } }) =>
      facts.push({ _tag: "EndpointMade", owner, id, url, events, ordered: request.ordered, isSteady }),
  );
};

/** Adds acts in which receivers fail, hang and answer slowly for a while; owners change, replay and remove endpoints. */
export const endpointActs = (script: Script): void => {
  const { cluster } = script;
  const { random, receivers, facts } = cluster;

  script.often(Math.ceil(script.minutes * 3), () => {
    const endpoint = random.pick(factsOf(facts, "EndpointMade"));
    const probability = () => (random.chance(0.5) ? 0 : random.next());
    if (endpoint === undefined) return;
    receivers.behave(endpoint.url, {
      broken: probability(),
      silent: probability() / 3,
      cut: probability() / 2,
      slow: random.between(1, 2_000),
    });
  });

  script.often(Math.ceil(script.minutes / 2), (number) => {
    const account = random.pick(USERS)!;
    createEndpoint(cluster, { _tag: "Account", account }, `https://busy.sim.test/${number}`, EVENTS, false);
  });

  script.often(Math.ceil(script.minutes * 3), () => {
    const endpoint = random.pick(factsOf(facts, "EndpointMade").filter(({ isSteady }) => !isSteady));
    if (endpoint !== undefined) change(cluster, endpoint);
  });
};

const CHANGES = ["edit", "disable", "enable", "enable", "rotate", "replay", "replay", "resend", "remove"] as const;

const change = (cluster: Cluster, { owner, id }: FactOf<"EndpointMade">): void => {
  const { random, timeline } = cluster;
  const kind = random.pick(CHANGES);
  const isOrdered = random.chance(0.5);
  const overlap = random.pick(["0", "10s"]);
  const since = new Date(timeline.now - 120_000).toISOString();
  cluster.request(`${kind} endpoint ${id}`, (services) =>
    Effect.gen(function* () {
      const endpoints = Context.get(services, WebhookEndpoints);
      const deliveries = Context.get(services, WebhookDeliveries);
      if (kind === "edit") yield* endpoints.edit(owner, id, { ordered: isOrdered, maxInFlight: 2 });
      if (kind === "disable") yield* endpoints.disable(owner, id);
      if (kind === "enable") yield* endpoints.enable(owner, id);
      if (kind === "rotate") yield* endpoints.rotateSecret(owner, id, overlap);
      if (kind === "remove") yield* endpoints.remove(owner, id);
      if (kind === "replay") yield* deliveries.replay(owner, id, { since });
      if (kind === "resend") {
        const page = yield* deliveries.page(owner, id, { limit: 5 });
        const last = page.deliveries[0];
        if (last !== undefined) yield* deliveries.resend(owner, id, last.delivery.id);
      }
    }),
  );
};
