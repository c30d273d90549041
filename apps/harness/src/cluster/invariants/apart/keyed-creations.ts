import { Drafts } from "@postern/core/drafts";
import { FolderManagement } from "@postern/core/folders";
import { Identities } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { NodeServices } from "../../nodes/NodeServices.ts";

type Services = Context.Context<NodeServices>;
type Key = { readonly caller: string; readonly key: string; readonly account: AccountId };

interface Kind {
  readonly create: (
    services: Services,
    name: string,
    key: Key,
  ) => Effect.Effect<{ readonly id: string }, { readonly _tag: string }>;
  readonly remove: (services: Services, account: AccountId, id: string) => Effect.Effect<unknown, unknown>;
  /** Returns the names of all objects of this kind. */
  readonly names: (services: Services, account: AccountId) => Effect.Effect<ReadonlyArray<string>, unknown>;
  /** A name that is refused. */
  readonly wrong: string;
}

const owned = (account: AccountId) => ({ _tag: "Account", account }) as const;

/** Creations with a key, by what is created. */
export const KEYED: Readonly<Record<string, Kind>> = {
  folder: {
    create: (services, name, key) =>
      Context.get(services, FolderManagement).create(key.account, { name, parentId: null }, key),
    remove: (services, account, id) =>
      Context.get(services, FolderManagement).remove(account, id, { permanent: true, recursive: true }),
    names: (services, account) =>
      Effect.map(Context.get(services, FolderManagement).list(account), (all) => all.map(({ name }) => name)),
    wrong: "a/b",
  },
  draft: {
    create: (services, name, key) => Context.get(services, Drafts).create(key.account, { subject: name }, key),
    remove: (services, account, id) => Context.get(services, Drafts).remove(account, id),
    names: (services, account) =>
      Effect.map(Context.get(services, Drafts).page(account, {}), ({ items }) => items.map(({ subject }) => subject)),
    wrong: "two\nlines",
  },
  identity: {
    create: (services, name, key) =>
      Context.get(services, Identities).create(key.account, { address: `${name}@far.test`, name: "" }, true, key),
    remove: (services, account, id) => Context.get(services, Identities).remove(account, id),
    names: (services, account) =>
      Effect.map(Context.get(services, Identities).page(account, {}), ({ items }) =>
        items.map(({ address }) => address.split("@")[0]!),
      ),
    wrong: "@",
  },
  endpoint: {
    create: (services, name, key) =>
      Effect.map(
        Context.get(services, WebhookEndpoints).create(
          owned(key.account),
          { url: `https://${name}.sim.test/`, events: ["email.sent"] },
          key,
        ),
        ({ endpoint }) => endpoint,
      ),
    remove: (services, account, id) => Context.get(services, WebhookEndpoints).remove(owned(account), id),
    names: (services, account) =>
      Effect.map(Context.get(services, WebhookEndpoints).page(owned(account), {}), ({ items }) =>
        items.map(({ endpoint }) => new URL(endpoint.url).host.split(".")[0]!),
      ),
    wrong: "no host",
  },
};
