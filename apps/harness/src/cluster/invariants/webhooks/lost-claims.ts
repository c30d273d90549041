import type { SettledClaim } from "@postern/core/webhooks";
import { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { StopPoint } from "../takeovers/StopPoint.ts";
import { ownerOf, says } from "./owner-of.ts";

const URL = "https://visit.sim.test/lost-claims";
const WORKS = { broken: 0, silent: 0, cut: 0, slow: 2 };
/** The time until an event is sent after its arrival, or after its step of the ladder, in milliseconds. */
const SOON = 6_000;
/** Longer than a claim lasts and another node needs to notice its end, in milliseconds. */
const PAUSED = 20_000;

/**
 * A worker whose claim was taken over after its attempt failed changes nothing by this attempt, whichever step of the ladder
 * it was: the other worker delivers the event, and the endpoint stays enabled. [S9.3-2] [S7.5-5]
 */
export const lostClaims: Invariant = {
  name: "lost-claims",
  watch: () => ({ apart: (visit, cluster) => lose(visit, cluster) }),
};

const lose = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const stop = new StopPoint(cluster);
    cluster.listeners.push((call) => stop.seeBefore(call));
    const account = yield* visit.signUp("losing");
    const { create, arrive, posts, page } = ownerOf(visit, cluster, account);
    const { endpoint } = yield* create(URL);
    // The last attempt is the one that disables the endpoint.
    const lost = cluster.random.pick([0, 2, cluster.ladder.length, cluster.ladder.length])!;
    cluster.receivers.behave(URL, { ...WORKS, broken: 1 });
    const event = arrive();
    const sent = () => posts(URL).filter(says(event)).length;
    for (let step = 0; step < lost; step++) {
      yield* visit.within(SOON, `attempt ${step} is not made`, () => sent() > step);
      const wait = cluster.ladder[step]!;
      if (wait > 2 * SOON) yield* visit.skip(wait - SOON / 2);
      else yield* visit.wait(Math.max(0, wait - 1_000));
    }
    stop.armBefore(
      ({ port, method, args }) =>
        port === "DeliveryQueue" &&
        method === "settle" &&
        (args[0] as ReadonlyArray<SettledClaim>).some(({ delivery }) => delivery.endpointId === endpoint.id),
      PAUSED,
    );
    yield* visit.within(3 * SOON, `attempt ${lost} does not end`, () => stop.isHit);
    cluster.receivers.behave(URL, WORKS);
    yield* visit.wait(3 * PAUSED);
    const states = (yield* page(endpoint.id)).map(({ delivery }) => delivery.state);
    visit.same(states, ["succeeded"], `the state after the claim of attempt ${lost} was lost`);
    visit.same(sent(), lost + 2, `the POSTs after the claim of attempt ${lost} was lost`);
    const ends = eventsOf(cluster, account, "webhook.disabled").length;
    visit.same(ends, 0, `the ends of an endpoint after the claim of attempt ${lost} was lost`);
  });
