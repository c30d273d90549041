import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { DAY, type Owner, ownerOf, says, DELIVERY_MILLIS } from "./owner-of.ts";

/** The maximum time of a slow receiver, in milliseconds. */
const SLOW_MILLIS = 4_000;

/**
 * A replay adds no delivery of an event that is in flight, and an account whose only endpoint is disabled stays
 * watched: its events are held for a replay. [S7.5-8] [S7.5-9]
 */
export const replays: Invariant = {
  name: "replays",
  watch: (cluster) => {
    let disabled: { readonly account: AccountId; readonly id: string } | undefined;
    return {
      calm: (visit) =>
        Effect.gen(function* () {
          const account = yield* visit.signUp("replayed");
          disabled = { account, id: yield* replayHeld(ownerOf(visit, cluster, account)) };
        }),
      later: (visit) =>
        Effect.gen(function* () {
          if (disabled === undefined) return;
          const { arrive, page } = ownerOf(visit, cluster, disabled.account);
          const before = (yield* page(disabled.id, "held")).length;
          arrive();
          yield* visit.wait(DELIVERY_MILLIS);
          const held = yield* page(disabled.id, "held");
          visit.same(held.length, before + 1, "what is held for an endpoint that was disabled long ago");
        }),
    };
  },
};

const replayHeld = ({ visit, cluster, owner, ask, create, arrive, posts, page }: Owner) =>
  Effect.gen(function* () {
    const url = "https://visit.sim.test/replayed";
    const { endpoint } = yield* create(url);
    yield* ask("disable", (endpoints) => endpoints.disable(owner, endpoint.id));
    const missed = arrive();
    yield* visit.wait(DELIVERY_MILLIS);
    yield* ask("enable", (endpoints) => endpoints.enable(owner, endpoint.id));
    const [held] = yield* page(endpoint.id, "held");
    cluster.receivers.behave(url, { broken: 1, silent: 0, cut: 0, slow: 2 });
    yield* ask("resend", (_, deliveries) => deliveries.resend(owner, endpoint.id, held!.delivery.id));
    yield* visit.within(DELIVERY_MILLIS, "a resend is not sent", () => posts(url).some(says(missed)));
    yield* visit.wait(1_000);
    cluster.receivers.behave(url, { broken: 0, silent: 0, cut: 0, slow: SLOW_MILLIS });
    const replay = ask("replay", (_, deliveries) =>
      deliveries.replay(owner, endpoint.id, { since: new Date(visit.now - DAY / 4).toISOString() }),
    );
    const before = posts(url).length;
    visit.same((yield* replay).queued, 1, "what a replay sends again of what failed");
    yield* visit.within(DELIVERY_MILLIS, "a replay is not sent", () => posts(url).length > before);
    visit.same((yield* replay).queued, 0, "what a replay adds to what is in flight");
    yield* visit.wait(2 * DELIVERY_MILLIS);
    visit.same(posts(url).length, before + 1, "POSTs of two replays at once");
    yield* ask("disable", (endpoints) => endpoints.disable(owner, endpoint.id));
    return endpoint.id;
  });
