import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { SECOND } from "../../durations.ts";
import { type Act, walk, worldActs } from "../walk.ts";
import { creationActs } from "./creation-acts.ts";
import { deliveryActs } from "./delivery-acts.ts";
import { endpointActs } from "./endpoint-acts.ts";
import { compareDeliveries } from "./webhook-requests.ts";
import { WebhookModel } from "./WebhookModel.ts";

/** The acts of a walk. */
const STEPS = 45;

/**
 * Random requests of an owner of endpoints, events, and receivers that work, fail and are silent follow the model of a
 * delivery: each POST, state, field, listing and event is as promised. [S7.5] [S7.6]
 */
export const webhookWalk: Invariant = {
  name: "webhook-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const model = new WebhookModel(visit, cluster, yield* managedAccount(visit, cluster, "told"));
        const stranger = new WebhookModel(visit, cluster, yield* managedAccount(visit, cluster, "untold"));
        model.followEvents();
        const follow = () => {
          model.expectEnds(model.followEvents());
          model.observe();
        };
        const observed = (act: Act): Act => ({
          ...act,
          run: Effect.gen(function* () {
            yield* act.run;
            yield* visit.wait(2 * SECOND);
            follow();
          }),
        });
        const passing = worldActs(visit, cluster, () => model.deadlines)
          .filter(({ name }) => name !== "a node crashes")
          .map((act) => ({
            ...act,
            run: Effect.gen(function* () {
              // A jump between a claim and its POST would be a suspension of the node, after which the POST is repeated.
              for (; model.isBusy(); follow()) yield* visit.wait(SECOND);
              yield* act.run;
              model.ran();
            }),
          }));
        const acts = [
          ...endpointActs(visit, cluster, model, stranger),
          ...deliveryActs(visit, cluster, model, stranger),
          ...creationActs(visit, cluster, stranger),
          ...passing,
        ];
        yield* walk(visit, cluster, acts.map(observed), STEPS);
        yield* compareDeliveries(visit, cluster, model);
      }),
  }),
};
