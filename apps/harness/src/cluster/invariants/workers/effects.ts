import type { OutgoingMessage } from "@postern/core/send";
import type { Lease } from "@postern/core/shared";
import type { ClaimedDelivery, WebhookPost } from "@postern/core/webhooks";
import { Option } from "effect";
import type { Incarnation } from "../../timeline/Incarnation.ts";
import type { Invariant } from "../../Invariant.ts";

/** The end of the last lease that each node was given on each row. */
class GivenLeases {
  readonly #ends = new Map<string, Map<Incarnation, number>>();

  give(node: Incarnation, id: string, { until }: Lease): void {
    const ofRow = this.#ends.get(id) ?? new Map<Incarnation, number>();
    this.#ends.set(id, ofRow.set(node, until));
  }

  /**
   * Returns whether a node may act on a row: no lease on the row was ever given, or the node's own lease has not ended
   * by its clock. Another node whose clock is ahead may have taken the row over in the last moments of that lease.
   */
  mayAct(node: Incarnation, id: string): boolean {
    const ofRow = this.#ends.get(id);
    return ofRow === undefined || node.millis() < (ofRow.get(node) ?? -Infinity);
  }
}

/**
 * A node has no effect outside the store after its lease ended: when it opens a connection for a message, sends the
 * dot, stores the copy in Sent or POSTs an event, it holds the lease of the row by its own clock. [S9.3-5]
 */
export const effects: Invariant = {
  name: "effects",
  watch: (cluster) => {
    const leases = new GivenLeases();
    const idOfMessage = new Map<string, string>();
    const keyOf = (endpointId: string, eventId: string) => `${endpointId} ${eventId}`;
    const deliveryIds = new Map<string, Set<string>>();
    const take = (node: Incarnation, row: OutgoingMessage | ClaimedDelivery, lease: Lease) => {
      if ("id" in row) return leases.give(node, row.id, lease);
      const { id, endpointId, eventId } = row.delivery;
      leases.give(node, id, lease);
      const key = keyOf(endpointId, eventId);
      deliveryIds.set(key, (deliveryIds.get(key) ?? new Set()).add(id));
    };
    const expectLease = (node: Incarnation, id: string, what: string) => {
      if (!leases.mayAct(node, id)) cluster.violate("effects", `${node.name} ${what} of ${id} without its lease`);
    };
    cluster.smtp.onDot = (node, id) => expectLease(node, id, "sends the dot");
    cluster.onSentCopy = (node, messageId) =>
      expectLease(node, idOfMessage.get(messageId) ?? messageId, "stores the copy");
    return {
      called: ({ node, port, method, args }) => {
        if (port === "MailTransport" && method === "deliver") {
          expectLease(node, (args[1] as { readonly envelopeId: string }).envelopeId, "begins the delivery");
        }
        if (port !== "WebhookSender" || method !== "send") return;
        const post = args[0] as WebhookPost;
        const ids = [...(deliveryIds.get(keyOf(post.endpointId, post.headers["webhook-id"]!)) ?? [])];
        if (ids.length > 0 && !ids.some((id) => leases.mayAct(node, id))) expectLease(node, ids[0]!, "makes the POST");
      },
      answered: ({ node, port, method, args, answer }) => {
        if (port !== "OutgoingJournal" && port !== "DeliveryQueue") return;
        if (method === "renew") for (const id of answer as ReadonlySet<string>) leases.give(node, id, args[1] as Lease);
        if (method === "claim") {
          const rows = answer as ReadonlyArray<OutgoingMessage | ClaimedDelivery>;
          for (const row of rows) take(node, row, args[1] as Lease);
        }
        if (port !== "OutgoingJournal") return;
        if (method === "insert") {
          const message = args[0] as OutgoingMessage;
          idOfMessage.set(message.messageId, message.id);
          if (args[2] !== null) take(node, message, args[2] as Lease);
        }
        if (method === "claimOne") {
          const claimed = Option.getOrUndefined(answer as Option.Option<OutgoingMessage>);
          if (claimed !== undefined) take(node, claimed, args[3] as Lease);
        }
      },
    };
  },
};
