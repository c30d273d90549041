import { type Delivery, type Endpoint, Endpoints, MAX_ENDPOINTS } from "@postern/core/webhooks";
import { Effect, HashMap, Layer, Option, Queue } from "effect";
import { type WebhookRows, WebhookStoreInMemory } from "./WebhookStoreInMemory.ts";

/** Endpoints, kept in memory. */
export const layer = Layer.effect(
  Endpoints,
  Effect.gen(function* () {
    const { rows, changes } = yield* WebhookStoreInMemory;
    const update = (change: (all: WebhookRows) => Partial<WebhookRows>) =>
      Effect.andThen(
        rows.modify((all) => [undefined, { ...all, ...change(all) }]),
        Effect.asVoid(Queue.offer(changes, undefined)),
      );
    const where = (wanted: (endpoint: Endpoint) => boolean) =>
      Effect.map(rows.get, ({ endpoints }) =>
        [...HashMap.values(endpoints)]
          .filter(wanted)
          .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
      );

    return Endpoints.of({
      insert: Effect.fnUntraced(function* (endpoint, secrets) {
        const own = yield* where(({ account }) => account === endpoint.account);
        if (own.length >= MAX_ENDPOINTS) return false;
        yield* update((all) => ({
          endpoints: HashMap.set(all.endpoints, endpoint.id, endpoint),
          secrets: HashMap.set(all.secrets, endpoint.id, secrets),
        }));
        return true;
      }),
      find: (account, id) =>
        Effect.map(
          where((endpoint) => endpoint.id === id && endpoint.account === account),
          ([found]) => Option.fromUndefinedOr(found),
        ),
      list: (account) => where((endpoint) => endpoint.account === account),
      subscribed: (account, type) =>
        where((endpoint) => endpoint.account === account && endpoint.events.includes(type)),
      change: (ids, decide) =>
        Effect.tap(
          rows.modify((all) => {
            const known = ids.toSorted().flatMap((id) => Option.toArray(HashMap.get(all.endpoints, id)));
            const decided = known.map(decide);
            const endpoints = decided.reduce((some, [, after]) => HashMap.set(some, after.id, after), all.endpoints);
            return [decided.map(([answer]) => answer), { ...all, endpoints }];
          }),
          Queue.offer(changes, undefined),
        ),
      secrets: (ids) =>
        Effect.map(
          rows.get,
          ({ secrets }) =>
            new Map(
              ids.flatMap((id) => {
                const found = HashMap.get(secrets, id);
                return Option.isSome(found) ? [[id, found]] : [];
              }),
            ),
        ),
      replaceSecrets: (id, secrets) => update((all) => ({ secrets: HashMap.set(all.secrets, id, secrets) })),
      remove: (account, id) =>
        rows.modify((all) => {
          const endpoint = HashMap.get(all.endpoints, id);
          if (Option.isNone(endpoint) || endpoint.value.account !== account) return [false, all];
          return [true, without(all, id)];
        }),
      erase: (account) =>
        rows.modify((all) => {
          const theirs = [...HashMap.values(all.endpoints)].filter((endpoint) => endpoint.account === account);
          return [false, theirs.reduce((rest, { id }) => without(rest, id), all)];
        }),
      eraseRemoved: () => Effect.succeed(false),
    });
  }),
);

const without = (all: WebhookRows, id: string): WebhookRows => {
  const gone = (delivery: Delivery | undefined) => delivery?.endpointId === id;
  return {
    ...all,
    endpoints: HashMap.remove(all.endpoints, id),
    secrets: HashMap.remove(all.secrets, id),
    deliveries: HashMap.filter(all.deliveries, (delivery) => !gone(delivery)),
    attempts: HashMap.filter(
      all.attempts,
      (_, delivery) => !gone(Option.getOrUndefined(HashMap.get(all.deliveries, delivery))),
    ),
  };
};
