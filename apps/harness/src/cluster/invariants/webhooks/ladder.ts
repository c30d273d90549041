import {
  type ClaimedDelivery,
  type Delivery,
  type DeliveryOutcome,
  isDelivered,
  type SettledClaim,
  type WebhookPost,
} from "@postern/core/webhooks";
import type { Invariant } from "../../Invariant.ts";
import type { AnsweredCall } from "../../faults/PortCall.ts";

/** The expected state of a delivery at its next claim. */
interface Expected {
  readonly step: number;
  readonly dueAt: number;
}

interface InFlight {
  readonly endpoint: string;
  readonly account: string;
}

/**
 * A failed delivery is due one step of the ladder after the end of its attempt, to the millisecond, and counts as one
 * failure; it is never sent earlier. No endpoint has more POSTs in flight than it allows, and an ordered endpoint never
 * has two of the same account. [S7.5-4]
 */
export const ladder: Invariant = {
  name: "ladder",
  watch: (cluster) => {
    const violate = (detail: string) => cluster.violate("ladder", detail);
    const expected = new Map<string, Expected>();
    const inFlight = new Map<string, InFlight>();
    /** The wait that the receiver of an attempt last requested of each node, and the endpoints that extend their steps by it. */
    const retryAfter = new Map<string, number | null>();
    const honours = new Set<string>();

    const claimed = ({ delivery, endpoint, event }: ClaimedDelivery, now: number) => {
      const known = expected.get(delivery.id);
      if (delivery.dueAt > now) violate(`${delivery.id} is sent ${delivery.dueAt - now} ms early`);
      if (known !== undefined && known.step !== delivery.step) {
        violate(`${delivery.id} is at step ${delivery.step}, not ${known.step}`);
      }
      if (known !== undefined && known.dueAt !== delivery.dueAt) {
        violate(`${delivery.id} is due ${delivery.dueAt - known.dueAt} ms late`);
      }
      expected.set(delivery.id, delivery);
      if (endpoint.honourRetryAfter) honours.add(endpoint.id);
      inFlight.set(delivery.id, { endpoint: endpoint.id, account: event.account });
      const all = [...inFlight.values()].filter((one) => one.endpoint === endpoint.id);
      const ofAccount = all.filter(({ account }) => account === event.account).length;
      if (all.length > endpoint.maxInFlight) violate(`${all.length} deliveries of ${endpoint.id} in flight`);
      if (endpoint.ordered && ofAccount > 1) violate(`${ofAccount} deliveries of ${event.account} in flight`);
    };

    const settled = ({ delivery, attempt }: SettledClaim, node: string) => {
      const before = expected.get(delivery.id);
      inFlight.delete(delivery.id);
      expected.set(delivery.id, delivery);
      if (before === undefined || isDelivered(attempt)) return;
      const wait = cluster.ladder[before.step];
      if (delivery.step !== before.step + 1)
        violate(`${delivery.id} goes from step ${before.step} to ${delivery.step}`);
      if (delivery.state !== "pending") return;
      const asked = retryAfter.get(`${node} ${delivery.endpointId} ${delivery.eventId} ${attempt.n}`) ?? 0;
      const longest = honours.has(delivery.endpointId)
        ? Math.min(Math.max(wait ?? NaN, asked), 2 * (wait ?? NaN))
        : wait;
      const off = delivery.dueAt - attempt.startedAt - attempt.ms - (wait ?? NaN);
      const isHonoured = off === (longest ?? NaN) - (wait ?? NaN);
      if (off !== 0 && !isHonoured) violate(`${delivery.id} is due ${off} ms off the ladder`);
    };

    const answered = ({ node, port, method, args, answer }: AnsweredCall) => {
      if (port === "DeliveryLog" && method === "revise") {
        for (const { id } of args[0] as ReadonlyArray<Delivery>) expected.delete(id);
      }
      if (port === "Endpoints" && (method === "remove" || method === "removeApplication" || method === "erase")) {
        // The deliveries in flight of an endpoint are deleted with it.
        for (const [id, { endpoint }] of inFlight) if (endpoint === args[1]) inFlight.delete(id);
      }
      if (port === "WebhookSender") {
        const { endpointId, headers } = args[0] as WebhookPost;
        const post = `${node.name} ${endpointId} ${headers["webhook-id"]} ${headers["X-Service-Attempt"]}`;
        retryAfter.set(post, (answer as DeliveryOutcome).retryAfter);
      }
      if (port === "EventLedger" && method === "erase") {
        for (const [id, { account }] of inFlight) if (account === args[0]) inFlight.delete(id);
      }
      if (port !== "DeliveryQueue") return;
      if (method === "claim")
        for (const one of answer as ReadonlyArray<ClaimedDelivery>) claimed(one, args[0] as number);
      if (method === "settle") {
        const kept = answer as ReadonlySet<string>;
        for (const one of args[0] as ReadonlyArray<SettledClaim>)
          if (kept.has(one.delivery.id)) settled(one, node.name);
      }
      if (method === "release") {
        // Only deliveries leased under the token become due again; other workers took over the others.
        for (const id of args[0] as ReadonlyArray<string>) inFlight.delete(id);
      }
      if (method === "reap") {
        for (const one of answer as ReadonlyArray<Delivery>) {
          inFlight.delete(one.id);
          expected.set(one.id, one);
        }
      }
    };
    return { answered };
  },
};
