import { WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HOUR, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { FREE_SETTINGS, isFree } from "./free-endpoints.ts";
import { setConduct } from "./receiver-conduct.ts";
import { ownerIn } from "./webhook-requests.ts";
import type { WebhookModel } from "./WebhookModel.ts";

/** The settings with which a success before the replay could count. */
const LENIENT = { ...FREE_SETTINGS, disablePolicy: "no_success" } as const;

/**
 * An endpoint fails one event and receives another one, and is disabled. What was held is replayed and fails to the last attempt:
 * only a success since the replay would keep the endpoint enabled. [S7.5-5] [S7.5-9]
 */
export const failedReplayAct = (
  visit: Visit,
  cluster: Cluster,
  model: WebhookModel,
  raise: Effect.Effect<unknown, unknown>,
  endLadders: Effect.Effect<unknown, unknown>,
): Act => {
  const owner = ownerIn(model);
  const endpoints = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
  const pass = Effect.gen(function* () {
    yield* visit.wait(2 * SECOND);
    model.expectEnds(model.followEvents());
    model.observe();
  });
  return {
    name: "a replay fails",
    weight: 3,
    isPossible: () => model.listed.some(isFree) && !model.isBusy(),
    run: Effect.gen(function* () {
      const endpoint = cluster.random.pick(model.listed.filter(isFree))!;
      yield* endpoints((all) => all.edit(owner, endpoint.id, LENIENT));
      Object.assign(endpoint.settings, LENIENT);
      setConduct(cluster, model, endpoint, 500);
      yield* raise;
      yield* pass;
      setConduct(cluster, model, endpoint, 200);
      yield* raise;
      yield* pass;
      yield* endpoints((all) => all.disable(owner, endpoint.id));
      endpoint.disable("owner", visit.now);
      setConduct(cluster, model, endpoint, 500);
      yield* pass;
      yield* endpoints((all) => all.enable(owner, endpoint.id));
      endpoint.enable();
      const since = visit.now - HOUR;
      const { queued } = yield* visit.ask("replay", (services) =>
        Context.get(services, WebhookDeliveries).replay(owner, endpoint.id, {
          since: new Date(since).toISOString(),
          states: ["held"],
        }),
      );
      visit.same(queued, endpoint.replay(since, visit.now + 1, ["held"], visit.now), "what a replay that fails queues");
      yield* pass;
      yield* endLadders;
    }),
  };
};
