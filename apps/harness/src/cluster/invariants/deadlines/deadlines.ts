import { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import type { Deadlines } from "./Deadline.ts";
import { fileDeadlines } from "./file-deadlines.ts";
import { holdDeadlines } from "./hold-deadlines.ts";
import { linkDeadlines } from "./link-deadlines.ts";
import { mailDeadlines } from "./mail-deadlines.ts";
import { requestDeadlines } from "./request-deadlines.ts";

/** The time until the work that fell due during a jump is done, in milliseconds. */
const DUE_WORK_MILLIS = 6_000;

/** Promises about minutes, hours and days hold until shortly before their end, and not after it. */
export const deadlines: Invariant = {
  name: "deadlines",
  watch: (cluster) => ({
    alone: (visit) =>
      keepAll(
        visit,
        cluster,
        visit.pickInTurn([[fileDeadlines, linkDeadlines], [holdDeadlines, requestDeadlines], [mailDeadlines]]),
      ),
  }),
};

/** Makes the requests of all clients, then jumps from check to check. */
const keepAll = (visit: Visit, cluster: Cluster, clients: ReadonlyArray<Deadlines>) =>
  Effect.gen(function* () {
    const { timeline } = cluster;
    const begun = yield* Effect.forEach(clients, (client) => client(visit, cluster));
    const start = timeline.now;
    for (const [after, check] of begun.flat().toSorted(([one], [other]) => one - other)) {
      if (timeline.now < start + after) {
        timeline.skipTo(start + after);
        yield* visit.wait(DUE_WORK_MILLIS);
      }
      yield* check;
    }
  });
