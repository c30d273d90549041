import { WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { type AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";

/** The maximum time until an event is delivered to a working endpoint, in milliseconds. */
export const DELIVERY_MILLIS = 5_000;
export const DAY = 86_400_000;

type Create = WebhookEndpoints["Service"]["create"];
type EndpointRequest = Parameters<Create>[1];

/** Returns an account as the owner of endpoints, with its requests about them. */
export const ownerOf = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const owner = { _tag: "Account", account } as const;
  const ask = <A, E>(
    name: string,
    use: (endpoints: WebhookEndpoints["Service"], deliveries: WebhookDeliveries["Service"]) => Effect.Effect<A, E>,
  ) =>
    visit.ask(name, (services) =>
      use(Context.get(services, WebhookEndpoints), Context.get(services, WebhookDeliveries)),
    );
  let arrivals = 0;
  return {
    visit,
    cluster,
    owner,
    ask,
    create: (url: string, more: Partial<EndpointRequest> = {}, key?: string): ReturnType<Create> =>
      ask("create", (endpoints) =>
        endpoints.create(
          owner,
          { url, events: ["email.received"], ...more },
          key === undefined ? undefined : { caller: account, key, account },
        ),
      ),
    arrive: () => {
      const messageId = `<${account}-${++arrivals}-${String(cluster.timeline.now)}@far.test>`;
      cluster.mail.account(account).mailbox("INBOX").append(textOf(messageId, account), cluster.timeline.now);
      return messageId;
    },
    posts: (url: string) => cluster.receivers.posts.filter((post) => post.url === url),
    page: (id: string, state?: "held" | "succeeded" | "exhausted") =>
      Effect.map(
        ask("page", (_, deliveries) => deliveries.page(owner, id, { limit: 50, state })),
        ({ deliveries }) => deliveries,
      ),
  };
};

export type Owner = ReturnType<typeof ownerOf>;

/** Returns whether a POST is about a message. */
export const says = (messageId: string) => (post: { readonly post: { readonly body: Uint8Array } }) =>
  new TextDecoder().decode(post.post.body).includes(messageId.slice(1, -1));
