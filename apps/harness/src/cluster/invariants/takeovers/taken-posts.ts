import type { ClaimedDelivery } from "@postern/core/webhooks";
import { Effect } from "effect";
import type { AnsweredCall } from "../../faults/PortCall.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import type { Takeover } from "./Takeover.ts";

/** The maximum time until a delivery is claimed, and until its lease is renewed, in milliseconds. */
const CLAIM_MILLIS = 8_000;
/**
 * The sum of a lease's duration, the time until other nodes notice its end, and the first wait for a retry; in
 * milliseconds.
 */
const LEASE_MILLIS = 8_000;
const NOTICE_MILLIS = 3_000;
/** The maximum time until a receiver answers, usually longer than the pause of a node; in milliseconds. */
const SLOW_ANSWER_MILLIS = 120_000;
/** The time until a paused node continues and its event is sent again, in milliseconds. */
const RESEND_MILLIS = 15_000;
/**
 * The number of rounds, because it is random whether the answer to a renewal or the end of the lease is noticed first.
 */
const ROUNDS = 4;

/** A delivery whose worker ended is sent after its lease has ended, even if nothing else falls due. [S9.3-3] */
export const deliveryClaimed: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("claimed");
    const { create, arrive, posts } = ownerOf(visit, cluster, account);
    const url = "https://visit.sim.test/claimed";
    const { endpoint } = yield* create(url);
    yield* visit.wait(CLAIM_MILLIS);
    stop.arm(
      ({ port, method, answer }) =>
        port === "DeliveryQueue" &&
        method === "claim" &&
        (answer as ReadonlyArray<ClaimedDelivery>).some(({ delivery }) => delivery.endpointId === endpoint.id),
    );
    arrive();
    yield* visit.within(CLAIM_MILLIS, "an event is not claimed", () => stop.isHit);
    const late = "a delivery whose worker ended is not sent when its lease has ended";
    yield* visit.within(LEASE_MILLIS + NOTICE_MILLIS, late, () => posts(url).length > 0);
  });

/**
 * A worker that was paused during a renewal until the renewed lease had ended does not renew this lease again. [S9.3-4]
 */
export const leaseRenewed: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("renewed");
    const { create, arrive } = ownerOf(visit, cluster, account);
    const url = "https://visit.sim.test/renewed";
    yield* create(url);
    let renewals = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      cluster.receivers.behave(url, { broken: 0, silent: 0, cut: 0, slow: SLOW_ANSWER_MILLIS });
      arrive();
      stop.arm(isRenewal, LEASE_MILLIS + 1_000);
      // A receiver may answer before the lease is renewed.
      for (let waited = 0; waited < CLAIM_MILLIS && !stop.isHit; waited += 500) yield* visit.wait(500);
      if (stop.isHit) renewals++;
      stop.disarm();
      cluster.receivers.behave(url, { broken: 0, silent: 0, cut: 0, slow: 2 });
      yield* visit.wait(RESEND_MILLIS);
    }
    visit.expect(renewals > 0, "no lease is renewed");
  });

const isRenewal = ({ port, method, answer }: AnsweredCall) =>
  port === "DeliveryQueue" && method === "renew" && (answer as ReadonlySet<string>).size > 0;
