import { EVERY_ACCOUNT } from "@postern/core/auth";
import { type Delivery, type Endpoint, Endpoints, MAX_ENDPOINTS, sameOwner } from "@postern/core/webhooks";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";
import { type WebhookRows, WebhookStoreInMemory } from "./WebhookStoreInMemory.ts";

/** Endpoints, kept in memory. */
export const layer = Layer.effect(
  Endpoints,
  Effect.gen(function* () {
    const { rows, wake } = yield* WebhookStoreInMemory;
    const { lockNames, transaction } = yield* Memory;
    const update = (change: (all: WebhookRows) => Partial<WebhookRows>) =>
      Effect.andThen(
        rows.modify((all) => [undefined, { ...all, ...change(all) }]),
        wake,
      );
    const where = (wanted: (endpoint: Endpoint) => boolean) =>
      Effect.map(rows.get, ({ endpoints }) =>
        [...HashMap.values(endpoints)]
          .filter(wanted)
          .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
      );

    const removeAll = (isTheirs: (owner: Endpoint["owner"]) => boolean) =>
      rows.modify((all) => {
        const theirs = [...HashMap.values(all.endpoints)].filter(({ owner }) => isTheirs(owner));
        return [theirs.length, theirs.reduce((rest, { id }) => without(rest, id), all)];
      });

    /** Deletes deliveries that another transaction added during the removal of their endpoint. */
    const eraseRemoved = (limit: number) =>
      rows.modify((all) => {
        const left = [...HashMap.values(all.deliveries)]
          .filter(({ endpointId }) => !HashMap.has(all.endpoints, endpointId))
          .slice(0, limit)
          .map(({ id }) => id);
        if (left.length === 0) return [false, all];
        const { deliveries, attempts } = all;
        return [
          true,
          { ...all, deliveries: HashMap.removeMany(deliveries, left), attempts: HashMap.removeMany(attempts, left) },
        ];
      });

    return Endpoints.of({
      insert: Effect.fnUntraced(function* (endpoint, secrets) {
        const { owner } = endpoint;
        yield* lockNames([
          `endpoints of ${owner._tag} ${owner._tag === "Account" ? owner.account : owner.application}`,
        ]);
        const own = yield* where(({ owner }) => sameOwner(owner, endpoint.owner));
        if (own.length >= MAX_ENDPOINTS) return false;
        yield* update((all) => ({
          endpoints: HashMap.set(all.endpoints, endpoint.id, endpoint),
          secrets: HashMap.set(all.secrets, endpoint.id, secrets),
        }));
        return true;
      }, transaction),
      find: (owner, id) =>
        Effect.map(
          where((endpoint) => endpoint.id === id && sameOwner(endpoint.owner, owner)),
          ([found]) => Option.fromUndefinedOr(found),
        ),
      list: (owner) => where((endpoint) => sameOwner(endpoint.owner, owner)),
      findSubscribed: (account, entries, type) =>
        where(
          ({ owner, events }) =>
            events.includes(type) &&
            (owner._tag === "Account"
              ? owner.account === account
              : entriesOf({ owner }).some((entry) => entries.includes(entry))),
        ),
      ofApplication: (application, type) =>
        where(
          ({ owner, events }) =>
            events.includes(type) && owner._tag === "Application" && owner.application === application,
        ),
      listReachEntries: Effect.map(
        where(() => true),
        (all) => [...new Set(all.flatMap(entriesOf))],
      ),
      isReached: (entries) =>
        Effect.map(
          where((endpoint) => entriesOf(endpoint).some((entry) => entries.includes(entry))),
          (found) => found.length > 0,
        ),
      change: (ids, decide) =>
        Effect.tap(
          Effect.andThen(
            rows.lock(ids),
            rows.modify((all) => {
              const known = ids.toSorted().flatMap((id) => Option.toArray(HashMap.get(all.endpoints, id)));
              const decided = known.map(decide);
              const endpoints = decided.reduce((some, [, after]) => HashMap.set(some, after.id, after), all.endpoints);
              return [decided.map(([answer]) => answer), { ...all, endpoints }];
            }),
          ),
          wake,
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
      remove: (owner, id) =>
        rows.modify((all) => {
          const endpoint = HashMap.get(all.endpoints, id);
          if (Option.isNone(endpoint) || !sameOwner(endpoint.value.owner, owner)) return [false, all];
          return [true, without(all, id)];
        }),
      removeApplication: (application) =>
        lockNames([`endpoints of Application ${application}`]).pipe(
          Effect.andThen(removeAll((owner) => owner._tag === "Application" && owner.application === application)),
          transaction,
        ),
      erase: (account, limit) =>
        Effect.andThen(
          removeAll((owner) => owner._tag === "Account" && owner.account === account),
          eraseRemoved(limit),
        ),
      eraseRemoved,
    });
  }),
);

/** Returns the entries of the reach of an application's endpoint. */
const entriesOf = ({ owner }: Pick<Endpoint, "owner">) =>
  owner._tag === "Account" ? [] : (owner.reach ?? [EVERY_ACCOUNT]);

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
