import { Effect } from "effect";
import type { Invariant } from "../../Invariant.ts";
import type { ReceiverConduct } from "../../servers/WebhookReceivers.ts";
import { checkEnds, type Begun, type Name, POLICIES, urlOf, WORKS } from "./ended-endpoints.ts";
import { DELIVERY_MILLIS, ownerOf, says } from "./owner-of.ts";

const FAILS: ReceiverConduct = { ...WORKS, broken: 1 };
/** The times between the third attempt and the fourth at which a receiver works: from and for, in milliseconds. */
const WORKS_AT = 24_000;
const WORKS_FOR = 12_000;

/**
 * An endpoint is disabled when the fifth retry of an event fails, unless its policy looks at successes and one came meanwhile.
 * Its owner is told once. Enabled again, it gets by a replay what failed and what was held, once. [S7.5-4] [S7.5-5] [S7.5-8]
 * [S7.5-9] [S7.6-10]
 */
export const endpointEnds: Invariant = {
  name: "endpoint-ends",
  watch: (cluster) => {
    let begun: Begun | undefined;
    return {
      calm: (visit) =>
        Effect.gen(function* () {
          const account = yield* visit.signUp("ending");
          const { create, arrive, posts } = ownerOf(visit, cluster, account);
          const ids = { literal: "", lucky: "", luckless: "" };
          const behave = (conduct: ReceiverConduct) => {
            for (const name of ["literal", "lucky"] as const) cluster.receivers.behave(urlOf(name), conduct);
          };
          for (const [name, disablePolicy] of Object.entries(POLICIES)) {
            ids[name as Name] = (yield* create(urlOf(name as Name), { disablePolicy })).endpoint.id;
          }
          behave(FAILS);
          cluster.receivers.behave(urlOf("luckless"), FAILS);
          const at = visit.now;
          const failed = arrive();
          yield* visit.wait(WORKS_AT);
          visit.same(posts(urlOf("literal")).filter(says(failed)).length, 4, "the attempts in the first seconds");
          behave(WORKS);
          const told = arrive();
          yield* visit.within(DELIVERY_MILLIS, "an event is not delivered while another one waits", () =>
            posts(urlOf("lucky")).some(says(told)),
          );
          yield* visit.wait(WORKS_FOR);
          behave(FAILS);
          begun = { account, ids, failed, at };
        }),
      later: (visit) => (begun === undefined ? Effect.void : checkEnds(ownerOf(visit, cluster, begun.account), begun)),
    };
  },
};
