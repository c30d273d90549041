import { OutgoingJournal, type OutgoingMessage } from "@postern/core/send";
import { Context } from "effect";
import { factsOf } from "../../Fact.ts";
import type { Invariant } from "../../Invariant.ts";
import { MAX_SKEW_MILLIS } from "../../timeline/Incarnation.ts";
import { USERS } from "../../world/accounts.ts";

/**
 * Each accepted recipient gets exactly one copy; at most one if the outcome is unknown. No message stays queued, and
 * none is sent before its time. [S6.3-8]
 */
export const sending: Invariant = {
  name: "sending",
  watch: (cluster) => ({
    quiet: () => {
      const violate = (detail: string) => cluster.violate("sending", detail);
      const refused = new Set(factsOf(cluster.facts, "ChangesRefused").map(({ account }) => account));
      for (const account of USERS) {
        const entries = cluster.ask((ports) =>
          Context.get(ports, OutgoingJournal).list({ account }, cluster.timeline.now, 10_000),
        );
        const sent = cluster.mail.account(account).mailbox("Sent").messages;
        for (const { message } of entries) {
          const first = cluster.smtp.attempts.find(({ envelopeId }) => envelopeId === message.id)?.at ?? Infinity;
          if (first < (message.scheduledFor ?? 0) - MAX_SKEW_MILLIS)
            violate(`${message.subject} leaves before its time`);
          for (const { address, state } of message.recipients) {
            const copies = cluster.smtp.copiesOf(message.id, address);
            const of = `${message.subject} for ${address}, ${state}`;
            if (copies > 1) violate(`${copies} copies of ${of}`);
            if (state === "sent" && copies === 0) violate(`no copy of ${of}`);
            if ((state === "failed" || state === "cancelled") && copies > 0) violate(`a copy of ${of}`);
            if (state === "queued" || state === "dot") violate(`${of} for ever`);
          }
          if (message.kind === "notice" || !message.recipients.some(({ state }) => state === "sent")) continue;
          const kept = sent.filter(({ summary }) => summary.messageId === message.messageId).length;
          if (kept === 0 && isRefusedCopy(message) && refused.has(account)) continue;
          if (kept !== 1) violate(`${kept} copies of ${message.subject} in Sent`);
        }
        for (const fact of cluster.facts) {
          if (fact._tag !== "SendAccepted" || fact.account !== account) continue;
          if (!entries.some(({ message }) => message.id === fact.id))
            violate(`${fact.subject} was accepted and is gone`);
        }
      }
    },
  }),
};

/** Returns whether, according to a message, the mail server refused its copy in Sent. */
const isRefusedCopy = ({ copy }: OutgoingMessage): boolean =>
  copy.state === "given_up" && (copy.failure?.reason === "not_permitted" || copy.failure?.reason === "over_quota");
