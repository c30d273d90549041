import { WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HOUR, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { FREE_SETTINGS, isFree } from "./free-endpoints.ts";
import { TIMEOUT } from "./ModelEndpoint.ts";
import { setConduct } from "./receiver-conduct.ts";
import { compareEndpoint, ownerIn } from "./webhook-requests.ts";
import type { WebhookModel } from "./WebhookModel.ts";

/** How often an act looks whether an attempt has ended or begun. */
const LOOKS = 20;

/**
 * An endpoint is disabled, and perhaps enabled again, while the last attempt of an event is on its way. The attempt fails, and
 * does not disable the endpoint, whatever the policy; meanwhile a replay skips the event. [S7.5-4] [S7.5-5] [S7.5-9]
 */
export const lastAttemptAct = (
  visit: Visit,
  cluster: Cluster,
  model: WebhookModel,
  raise: Effect.Effect<unknown, unknown>,
  passStep: Effect.Effect<boolean, unknown>,
): Act => {
  const { random } = cluster;
  const owner = ownerIn(model);
  const endpoints = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
  /** Lets time pass until a state is reached; returns false if that takes too long. */
  const pass = (step: Effect.Effect<unknown, unknown>, isReached: () => boolean) =>
    Effect.gen(function* () {
      for (let looks = 0; looks < LOOKS && !isReached(); looks++) {
        yield* step;
        model.expectEnds(model.followEvents());
        model.observe();
      }
      return isReached();
    });
  return {
    name: "the last attempt of an event outlives its endpoint's end",
    weight: 3,
    isPossible: () => model.listed.some(isFree) && !model.isBusy(),
    run: Effect.gen(function* () {
      const endpoint = random.pick(model.listed.filter(isFree))!;
      const settings = { ...FREE_SETTINGS, disablePolicy: random.pick(["literal", "no_success"] as const)! };
      yield* endpoints((all) => all.edit(owner, endpoint.id, settings));
      Object.assign(endpoint.settings, settings);
      setConduct(cluster, model, endpoint, 500);
      yield* raise;
      const delivery = endpoint.deliveries.at(-1)!;
      const next = Effect.flatMap(passStep, (isPassed) => (isPassed ? Effect.void : visit.wait(2 * SECOND)));
      if (!(yield* pass(next, () => delivery.step === cluster.ladder.length))) return;
      setConduct(cluster, model, endpoint, null);
      yield* passStep;
      if (!(yield* pass(visit.wait(SECOND / 2), () => delivery.state === "in_flight"))) return;
      const isLate = model.flights.some((one) => one.delivery === delivery && one.until - visit.now < TIMEOUT / 2);
      if (isLate) return;
      for (const isEnabled of random.pick([[false], [false, true], [false, true], [false, true, false, true]])!) {
        yield* endpoints((all) => (isEnabled ? all.enable(owner, endpoint.id) : all.disable(owner, endpoint.id)));
        if (isEnabled) endpoint.enable();
        else endpoint.disable("owner", visit.now);
      }
      if (endpoint.isEnabled && random.chance(0.5)) {
        const since = visit.now - HOUR;
        const { queued } = yield* visit.ask("replay", (services) =>
          Context.get(services, WebhookDeliveries).replay(owner, endpoint.id, { since: new Date(since).toISOString() }),
        );
        const promised = endpoint.replay(since, visit.now + 1, ["held", "exhausted"], visit.now);
        visit.same(queued, promised, "what a replay beside a last attempt queues");
      }
      yield* pass(visit.wait(SECOND), () => delivery.state === "exhausted");
      setConduct(cluster, model, endpoint, 200);
      yield* model.untilCertain();
      yield* compareEndpoint(visit, model, endpoint);
    }),
  };
};
