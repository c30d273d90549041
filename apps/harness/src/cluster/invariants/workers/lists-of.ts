import { AccountSessions, Keys } from "@postern/core/auth";
import { Blocks } from "@postern/core/arrivals";
import { Drafts } from "@postern/core/drafts";
import { Identities, Outbox } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { NodeServices } from "../../nodes/NodeServices.ts";
import type { Visit } from "../../Visit.ts";
import { clientOf } from "../send/outbox-client.ts";
import { ownerOf } from "../webhooks/owner-of.ts";

/** The maximum time until a delivery is listed, in milliseconds. */
const SOON = 3_000;

/** A list of the API, and the creation of its entries. */
export interface List {
  readonly read: (
    services: Context.Context<NodeServices>,
    request: { readonly limit?: number; readonly cursor?: string | undefined },
  ) => Effect.Effect<
    { readonly ids: ReadonlyArray<string>; readonly nextCursor: string | null },
    { readonly _tag: string }
  >;
  /** Makes an entry. */
  readonly make: (n: number) => Effect.Effect<unknown, unknown>;
  /** Whether a page may not be larger than `MOST`, or is reduced to it. */
  readonly isReduced?: boolean;
}

/** Returns the lists of an account. */
export const listsOf = (
  visit: Visit,
  cluster: Cluster,
  account: AccountId,
): Effect.Effect<Readonly<Record<string, List>>, unknown> =>
  Effect.gen(function* () {
    const owner = { _tag: "Account", account } as const;
    const { create, arrive } = ownerOf(visit, cluster, account);
    const { send } = clientOf(visit, cluster, account);
    const told = yield* create("https://visit.sim.test/listed");
    const lists: Readonly<Record<string, List>> = {
      sessions: {
        read: (services, request) =>
          paged(Context.get(services, AccountSessions).page(account, request), ({ id }) => id),
        make: () => visit.signIn(account),
      },
      blocks: {
        read: (services, request) => paged(Context.get(services, Blocks).page(account, request), ({ id }) => id),
        make: (n) =>
          visit.ask("block", (services) => Context.get(services, Blocks).add(account, `blocked-${n}@far.test`)),
      },
      identities: {
        read: (services, request) => paged(Context.get(services, Identities).page(account, request), ({ id }) => id),
        make: (n) =>
          visit.ask("identity", (services) =>
            Context.get(services, Identities).create(account, { address: `listed-${n}@far.test`, name: "" }, true),
          ),
      },
      endpoints: {
        read: (services, request) =>
          paged(Context.get(services, WebhookEndpoints).page(owner, request), ({ endpoint }) => endpoint.id),
        make: (n) => create(`https://visit.sim.test/listed-${n}`, { events: ["email.sent"] }),
      },
      drafts: {
        read: (services, request) => paged(Context.get(services, Drafts).page(account, request), ({ id }) => id),
        make: (n) =>
          visit.ask("draft", (services) => Context.get(services, Drafts).create(account, { subject: `${n}` })),
      },
      keys: {
        read: (services, request) => paged(Context.get(services, Keys).page(request), ({ id }) => id),
        make: (n) => visit.ask("key", (services) => Context.get(services, Keys).make({ ...KEY, name: `listed ${n}` })),
      },
      messages: {
        read: (services, request) =>
          paged(Context.get(services, Outbox).page(account, request), ({ message }) => message.id),
        make: (n) => send(`listed-${n}`),
      },
      deliveries: {
        read: (services, request) =>
          Effect.map(
            Context.get(services, WebhookDeliveries).page(owner, told.endpoint.id, request),
            ({ deliveries, nextCursor }) => ({
              ids: deliveries.map(({ delivery }) => delivery.id),
              nextCursor,
            }),
          ),
        make: () => Effect.andThen(Effect.sync(arrive), visit.wait(SOON)),
        isReduced: true,
      },
    };
    return lists;
  });

const paged = <A, E>(
  page: Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly nextCursor: string | null }, E>,
  idOf: (item: A) => string,
) => Effect.map(page, ({ items, nextCursor }) => ({ ids: items.map(idOf), nextCursor }));

const KEY = {
  application: "listing",
  scopes: ["mail:read"],
  accounts: null,
  networks: null,
  expiresAt: null,
  sendPerDay: null,
  notify: null,
} as const;
