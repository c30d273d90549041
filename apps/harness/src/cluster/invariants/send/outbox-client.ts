import { MessageSender, Outbox, type SendingKey, stateOf } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Visit } from "../../Visit.ts";

type SendRequest = Parameters<MessageSender["Service"]["send"]>[1];

/** Returns the requests of a client about the messages of an account, and the messages that reached the server. */
export const clientOf = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const request = (to: string, sendAt?: number, more: Partial<SendRequest> = {}): SendRequest => ({
    to: to.split(" ").map((name) => `${name}@far.test`),
    subject: to,
    text: "simulated",
    sendAt: sendAt === undefined ? undefined : new Date(sendAt).toISOString(),
    ...more,
  });
  const send = (
    to: string,
    options: { key?: string; sendAt?: number; by?: SendingKey; more?: Partial<SendRequest> } = {},
  ) =>
    visit.ask(`send ${to}`, (services) =>
      Context.get(services, MessageSender).send(
        account,
        request(to, options.sendAt, options.more),
        options.key,
        options.by,
      ),
    );
  const entry = (subject: string) =>
    Effect.map(
      visit.ask("list", (services) => Context.get(services, Outbox).page(account, {})),
      ({ items }) => items.find(({ message }) => message.subject === subject)!,
    );
  const sendAgain = (to: string, key: string) => Effect.result(send(to, { key }));
  return {
    visit,
    account,
    cluster,
    request,
    send,
    sendAgain,
    entry,
    state: (subject: string) => Effect.map(entry(subject), ({ message, leased }) => stateOf(message, leased)),
    cancel: (id: string) => visit.tagOf("cancel", (services) => Context.get(services, Outbox).cancel(account, id)),
    hasten: (id: string) => visit.tagOf("hasten", (services) => Context.get(services, Outbox).sendNow(account, id)),
    release: (id: string, by: SendingKey | null) =>
      visit.tagOf(`release ${id}`, (services) =>
        Context.get(services, Outbox).release(account, id, by && { key: by.id, application: by.application }),
      ),
    copies: (id: string, name: string) => cluster.smtp.copiesOf(id, `${name}@far.test`),
    attempts: (id: string) => cluster.smtp.attempts.filter(({ envelopeId }) => envelopeId === id).map(({ at }) => at),
    events: (messageId: string) =>
      eventsOf(cluster, account)
        .filter((event) => dataOf(event, "messageId") === messageId)
        .map((event) => `${event.type} ${String(dataOf(event, "recipient") ?? "")}`.trim()),
  };
};

export type Client = ReturnType<typeof clientOf>;
