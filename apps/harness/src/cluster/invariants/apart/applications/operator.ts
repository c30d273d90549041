import { KeyAuthentication, Keys, type ServiceKey } from "@postern/core/auth";
import { type SendingKey, sendingKeyOf } from "@postern/core/send";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import type { Visit } from "../../../Visit.ts";

/** The network of the application's backend. */
const BACKEND = "192.0.2.70";

type KeyRequest = Parameters<Keys["Service"]["make"]>[0];

const REQUEST: KeyRequest = {
  name: "a key",
  application: null,
  scopes: ["mail:send", "mail:read", "mail:write"],
  accounts: null,
  networks: null,
  expiresAt: null,
  sendPerDay: null,
  notify: null,
};

const clientAt = (network: string) => ({
  network,
  isWithin: (blocks: ReadonlyArray<string>) => blocks.includes(network),
});

const acceptance = <A, E extends { readonly _tag: string }>(answer: Effect.Effect<Option.Option<A>, E>) =>
  Effect.match(answer, {
    onFailure: ({ _tag }) => _tag as string,
    onSuccess: Option.match({ onNone: () => "none", onSome: () => "accepted" }),
  });

/** Returns the requests of an operator about keys, and of the backends that use the keys. */
export const operatorOf = (visit: Visit, cluster: Cluster) => {
  const keys = <A, E>(use: (all: Keys["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("keys", (services) => use(Context.get(services, Keys)));
  return {
    visit,
    cluster,
    keys,
    /** Makes a request about keys; returns the tag of its error, or `Answered`. */
    tagOf: <A, E extends { readonly _tag: string }>(use: (all: Keys["Service"]) => Effect.Effect<A, E>) =>
      visit.tagOf("keys", (services) => use(Context.get(services, Keys))),
    /** Makes a key; returns it, its text, and the key as the sender of a message. */
    make: (
      application: string | null,
      more: Partial<KeyRequest> = {},
    ): Effect.Effect<{ readonly key: ServiceKey; readonly text: string; readonly by: SendingKey }, unknown> =>
      Effect.map(
        keys((all) => all.make({ ...REQUEST, application, ...more })),
        ({ key, text }) => ({ key, text: Redacted.value(text!), by: sendingKeyOf(key) }),
      ),
    /** Returns the tag of the error with which a key is refused, or `accepted`. */
    present: (text: string, network = BACKEND) =>
      acceptance(
        visit.ask("use a key", (services) =>
          Context.get(services, KeyAuthentication).holderOf(text, () => clientAt(network)),
        ),
      ),
    /** Returns what a request gets that waits or streams: `accepted`, `none`, or the tag of an error. */
    recheck: (id: string, scope: "mail:read" | "mail:send", network: string) =>
      acceptance(
        visit.ask("check a key again", (services) =>
          Context.get(services, KeyAuthentication).recheck(id, scope, clientAt(network)),
        ),
      ),
    find: (id: string) =>
      Effect.map(
        keys((all) => all.page({})),
        ({ items }) => items.find((one) => one.id === id),
      ),
    application: (name: string) =>
      Effect.map(
        keys((all) => all.applications({})),
        ({ items }) => items.find((one) => one.name === name),
      ),
  };
};
export type Operator = ReturnType<typeof operatorOf>;
