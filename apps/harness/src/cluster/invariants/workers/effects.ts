import type { OutgoingMessage } from "@postern/core/send";
import type { Lease } from "@postern/core/shared";
import type { ClaimedDelivery, WebhookPost } from "@postern/core/webhooks";
import type { Incarnation } from "../../timeline/Incarnation.ts";
import type { Invariant } from "../../Invariant.ts";

interface Holder extends Lease {
  readonly node: string;
}

/**
 * A node has no effect outside the store after its lease ended: when it opens a connection for a message, sends the
 * dot, stores the copy in Sent or POSTs an event, it holds the lease of the row by its own clock. [S9.3-5]
 */
export const effects: Invariant = {
  name: "effects",
  watch: (cluster) => {
    const holders = new Map<string, Holder>();
    const idOfMessage = new Map<string, string>();
    const keyOf = (endpointId: string, eventId: string) => `${endpointId} ${eventId}`;
    const deliveryIds = new Map<string, Set<string>>();
    const take = (node: Incarnation, id: string, { token, until }: Lease) =>
      void holders.set(id, { token, until, node: node.name });
    const mayAct = (node: Incarnation, id: string) => {
      const held = holders.get(id);
      return held === undefined || (held.node === node.name && node.millis() < held.until);
    };
    const expectLease = (node: Incarnation, id: string, what: string) => {
      if (!mayAct(node, id)) cluster.violate("effects", `${node.name} ${what} of ${id} without its lease`);
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
        if (ids.length > 0 && !ids.some((id) => mayAct(node, id))) expectLease(node, ids[0]!, "makes the POST");
      },
      answered: ({ node, port, method, args, answer }) => {
        if (port === "OutgoingJournal" && method === "insert") {
          const { id, messageId } = args[0] as OutgoingMessage;
          idOfMessage.set(messageId, id);
          if (args[2] !== null) take(node, id, args[2] as Lease);
        }
        if (port !== "OutgoingJournal" && port !== "DeliveryQueue") return;
        if (method === "claim") {
          for (const row of answer as ReadonlyArray<OutgoingMessage | ClaimedDelivery>) {
            if ("id" in row) take(node, row.id, args[1] as Lease);
            else {
              const { id, endpointId, eventId } = row.delivery;
              take(node, id, args[1] as Lease);
              const key = keyOf(endpointId, eventId);
              deliveryIds.set(key, (deliveryIds.get(key) ?? new Set()).add(id));
            }
          }
        }
        if (method === "renew") for (const id of answer as ReadonlySet<string>) take(node, id, args[1] as Lease);
      },
    };
  },
};
