import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { walk, worldActs } from "../walk.ts";
import { keyActs } from "./key-acts.ts";
import { walkedKeys } from "./walked-keys.ts";

const STEPS = 35;

/**
 * An operator makes, changes and deletes keys and suspends applications in any order: each key has the fields that it
 * was given, is accepted as promised, and its messages wait, are sent or end with it. The audit has each change, and no
 * refused request. [S8.7-1] [S8.7-4] [S10.2-1] [S10.2-2] [S10.2-3] [S10.2-7] [S10.2-24] [S10.2-25] [S10.2-27] [S10.2-28]
 * [S10.2-30] [S10.2-31] [S10.2-32] [S10.2-33]
 */
export const keyWalk: Invariant = {
  name: "key-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("key-walk");
        const all = walkedKeys(visit, cluster, account);
        const world = worldActs(visit, cluster, all.deadlines).map((act) => ({
          ...act,
          // A node that ends while it sends a message leaves the outcome open.
          isPossible: () => (act.isPossible?.() ?? true) && !(act.name === "a node crashes" && all.isSending()),
          // Sessions may end while time passes, and with the last one the account's credential.
          run: Effect.andThen(act.run, Effect.andThen(visit.signIn(account), all.compare)),
        }));
        yield* walk(visit, cluster, [...world, ...keyActs(visit, cluster, all)], STEPS);
      }),
  }),
};
