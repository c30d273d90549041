import { factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";

/**
 * A request is refused if it is made after the answer to a logout, or to the deletion of its key; [S10.2-2] a refresh
 * token has one successor.
 */
export const auth: Invariant = {
  name: "auth",
  watch: (cluster) => ({
    quiet: () => {
      const { facts } = cluster;
      const ended = new Map(factsOf(facts, "LoggedOut").map(({ sessionId, at }) => [sessionId, at]));
      for (const { sessionId, askedAt } of factsOf(facts, "TokenAccepted")) {
        if ((ended.get(sessionId) ?? Infinity) < askedAt) {
          cluster.violate("auth", `a token of ${sessionId} was accepted after its logout`);
        }
      }
      const deleted = new Map(factsOf(facts, "KeyDeleted").map(({ keyId, at }) => [keyId, at]));
      for (const { keyId, askedAt } of factsOf(facts, "KeyAccepted")) {
        if ((deleted.get(keyId) ?? Infinity) < askedAt) {
          cluster.violate("auth", `the key ${keyId} was accepted after its deletion`);
        }
      }
      for (const [presented, some] of Map.groupBy(factsOf(facts, "Refreshed"), (fact) => fact.presented)) {
        const successors = new Set(some.map(({ successor }) => successor));
        if (successors.size > 1) cluster.violate("auth", `${presented} has ${successors.size} successors`);
      }
    },
  }),
};
