import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { walk, worldActs } from "../walk.ts";
import { changeActs } from "./change-acts.ts";
import { creationActs } from "./creation-acts.ts";
import { senderActs } from "./sender-acts.ts";
import { walkedIdentities } from "./walked-identities.ts";

/** The acts of a walk. */
const STEPS = 35;

/**
 * Identities that are added, verified by links, changed, used and deleted in any order have the promised fields; one is the
 * default; messages have the sender of their identity; only mailed links count against the rate. [S12.2-1] to [S12.2-13]
 */
export const identityWalk: Invariant = {
  name: "identity-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const walked = walkedIdentities(visit, cluster, yield* managedAccount(visit, cluster, "walked-senders"));
        const stranger = walkedIdentities(visit, cluster, yield* managedAccount(visit, cluster, "no-senders"));
        yield* walked.compare;
        const acts = [
          ...creationActs(visit, cluster, walked),
          ...changeActs(visit, cluster, walked, stranger),
          ...senderActs(visit, cluster, walked, stranger),
          ...worldActs(visit, cluster, walked.deadlines),
        ];
        yield* walk(visit, cluster, acts, STEPS);
      }),
  }),
};
