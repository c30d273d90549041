import { WebhookDeliveries, WebhookEndpoints, WebhookTrial } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { Act } from "../walk.ts";
import { APPLICATION, type FeedModel, type Reach, TOLD } from "./FeedModel.ts";

const REACHES: ReadonlyArray<Reach> = [null, ["tag:left"], ["tag:right"], ["tag:left", "tag:right"]];
const TYPES = [undefined, "webhook.disabled", "folder.created"] as const;

/** Whether a reach contains another one. */
const contains = (outer: Reach, inner: Reach): boolean =>
  outer === null || (inner !== null && inner.every((entry) => outer.includes(entry)));

/**
 * An endpoint of an application gets the events of the managed accounts in its reach, and only a key whose reach contains that of the
 * endpoint may change, test and replay it. [S7.1-1] [S7.6-4] [S7.6-11] [S10.2-22] [S10.3-33]
 */
export const endpointAct = (visit: Visit, cluster: Cluster, model: FeedModel): Act => {
  const { random, receivers } = cluster;
  let count = 0;
  const ownerOf = (reach: Reach, application = APPLICATION) =>
    ({ _tag: "Application", application, reach, notify: null }) as const;
  type Owner = ReturnType<typeof ownerOf>;
  const ask = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
  /** Returns the answers to requests that only some keys may make. */
  const tags = (owner: Owner, id: string) =>
    Effect.gen(function* () {
      const request = <E extends { readonly _tag: string }>(
        use: (
          all: WebhookEndpoints["Service"],
          deliveries: WebhookDeliveries["Service"],
          trial: WebhookTrial["Service"],
        ) => Effect.Effect<unknown, E>,
      ) =>
        visit.tagOf("a request of a key", (services) =>
          use(
            Context.get(services, WebhookEndpoints),
            Context.get(services, WebhookDeliveries),
            Context.get(services, WebhookTrial),
          ),
        );
      const since = new Date(visit.now - 60_000).toISOString();
      return [
        yield* request((all) => all.edit(owner, id, { description: "changed" })),
        yield* request((all) => all.disable(owner, id)),
        yield* request((all) => all.enable(owner, id)),
        yield* request((all) => all.rotateSecret(owner, id)),
        yield* request((_, deliveries) => deliveries.page(owner, id, {})),
        yield* request((_, deliveries) => deliveries.replay(owner, id, { since })),
        yield* request((_all, _deliveries, trial) => trial.send(owner, id)),
      ];
    });
  return {
    name: "an endpoint of the application",
    weight: 2,
    run: Effect.gen(function* () {
      const reach = random.pick(REACHES)!;
      const url = `https://visit.sim.test/of-application-${++count}`;
      const { endpoint } = yield* ask((all) => all.create(ownerOf(reach), { url, events: ["folder.created"] }));
      const { id } = endpoint;
      // A first watch of an endpoint begins with the endpoint.
      for (const one of model.reached(reach)) one.early = [];
      const known = model.told.length;
      for (const one of model.accounts) yield* model.createFolder(one);
      yield* model.learn;
      const posted = receivers.posts.filter((post) => post.url === url).map(({ eventId }) => eventId);
      const reached = new Set(model.reached(reach).map((one) => one.id));
      const promised = model.told
        .slice(known)
        .filter(({ type, account }) => type === "folder.created" && reached.has(account));
      visit.same(
        posted.toSorted(),
        promised.map((event) => event.id).toSorted(),
        `the events of an endpoint that reaches ${reach?.join(" ") ?? "all"}`,
      );

      const asking = ownerOf(random.pick(REACHES)!);
      const isWide = contains(asking.reach, reach);
      const of = `requests of a key that reaches ${asking.reach?.join(" ") ?? "all"} about an endpoint of ${reach?.join(" ") ?? "all"}`;
      visit.same((yield* ask((all) => all.find(asking, id))).endpoint.id, id, "an endpoint that another key reads");
      const answers = (tag: string) => Array.from({ length: 7 }, () => tag);
      visit.same(yield* tags(asking, id), answers(isWide ? "Answered" : "EndpointNotFound"), of);
      const foreign = ownerOf(null, "other");
      visit.same(yield* tags(foreign, id), answers("EndpointNotFound"), "requests of a key of another application");
      const type = random.pick(TYPES);
      const before = receivers.posts.length;
      const trial = yield* visit.ask("test", (services) =>
        Context.get(services, WebhookTrial).send(ownerOf(null), id, type),
      );
      const post = receivers.posts.slice(before).find((one) => one.url === url);
      const body = post && JSON.parse(new TextDecoder().decode(post.post.body));
      visit.same(
        [trial.delivered, trial.status, body?.event, body?.test, body?.account === null],
        [true, 200, type ?? "webhook.test", true, type === "webhook.disabled"],
        "a test of an endpoint of an application",
      );
      for (const owner of [foreign, asking, ownerOf(null)]) {
        const tag = visit.tagOf("remove", (services) => Context.get(services, WebhookEndpoints).remove(owner, id));
        const isAllowed = owner.application === APPLICATION && contains(owner.reach, reach);
        visit.same(yield* tag, isAllowed ? "Answered" : "EndpointNotFound", "the removal of an endpoint");
        if (isAllowed) break;
      }
      const gone = visit.tagOf("find", (services) => Context.get(services, WebhookEndpoints).find(ownerOf(null), id));
      visit.same(yield* gone, "EndpointNotFound", "an endpoint of an application that was removed");
      yield* visit.wait(TOLD);
    }),
  };
};
