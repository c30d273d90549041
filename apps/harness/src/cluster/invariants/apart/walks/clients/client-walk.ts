import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { walk, worldActs } from "../walk.ts";
import { clientActs } from "./client-acts.ts";
import { documentActs } from "./document-acts.ts";
import { signInActs } from "./sign-in-acts.ts";
import { walkedClients } from "./walked-clients.ts";

const STEPS = 40;

/**
 * Clients of assistants are made, register themselves, publish documents and end, in any order: a code goes only to a
 * redirect URI of its client, and only the client with the verifier gets the tokens, which have the rights that a person
 * chose. [S8.7-1] [S13.3-6] [S13.3-7] [S13.3-8] [S13.3-10] [S13.3-11] [S13.3-13]
 */
export const clientWalk: Invariant = {
  name: "client-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("client-walk");
        const clients = walkedClients(visit, cluster);
        const acts = [
          ...worldActs(visit, cluster, clients.deadlines),
          ...clientActs(visit, cluster, clients),
          ...documentActs(visit, cluster, clients),
          ...signInActs(visit, cluster, account, clients),
        ];
        yield* walk(visit, cluster, acts, STEPS);
      }),
  }),
};
