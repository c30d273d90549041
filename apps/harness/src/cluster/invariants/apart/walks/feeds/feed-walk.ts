import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { type Act, walk, worldActs } from "../walk.ts";
import { endpointAct } from "./endpoint-act.ts";
import { FeedModel } from "./FeedModel.ts";
import { followActs } from "./follow-acts.ts";
import { readingActs } from "./reading-acts.ts";
import { streamActs } from "./stream-acts.ts";

const STEPS = 9;

/**
 * A key gets, by parts and streams of the feed, exactly the events of its application and of the accounts in its reach at the
 * time of each read, and its mailboxes are watched meanwhile; so do its endpoints. A program that embeds Postern gets the events of all accounts.
 * [S1.4-2] [S1.4-3] [S1.4-4] [S1.4-5] [S7.9-4] [S7.9-5] [S7.9-6] [S7.10-2] [S7.10-3] [S7.10-5] [S7.10-6] [S7.10-7]
 */
export const feedWalk: Invariant = {
  name: "feed-walk",
  watch: () => ({
    // In every third seed, because a seed must stay cheap.
    apart: (visit, cluster) => (visit.pickInTurn([false, true, false]) ? feed(visit, cluster) : Effect.void),
  }),
};

const feed = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const model = new FeedModel(visit, cluster);
    for (const tag of ["left", "right"]) yield* model.add(tag);
    yield* model.signUp;
    const acts: ReadonlyArray<Act> = [
      ...readingActs(visit, cluster, model),
      ...streamActs(visit, cluster, model),
      endpointAct(visit, cluster, model),
      ...followActs(visit, cluster, model),
      {
        name: "events of accounts",
        weight: 2,
        run: Effect.suspend(() => model.createFolder(random.pick(model.accounts)!)),
      },
      { name: "an event of the application", weight: 2, run: model.disable },
      { name: "an account is added, and has mail", run: model.addEarly },
      ...worldActs(visit, cluster, () => []).filter(({ name }) => name !== "minutes pass"),
    ];
    yield* model.learn;
    yield* walk(
      visit,
      cluster,
      acts.map((act) => ({ ...act, run: Effect.andThen(act.run, model.learn) })),
      STEPS,
    );
  });
