import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { type Application, Applications, CredentialRelease } from "../../src/auth/index.ts";
import { Creations } from "../../src/creations/index.ts";
import { EventPublisher, type MailEvent } from "../../src/events/index.ts";
import { FolderRecords } from "../../src/folders/index.ts";
import { AccountId, Entropy } from "../../src/shared/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import {
  type Delivery,
  DeliveryQueue,
  type Endpoint,
  type EndpointOwner,
  EndpointPolicy,
  Endpoints,
  EndpointUrlRefused,
  Hmac,
  ownedBy,
  sameOwner,
  type SigningSecrets,
  WebhookEndpoints,
  WebhookSender,
  type WebhookPost,
  WebhookTrial,
} from "../../src/webhooks/index.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";
import { answered, T0 } from "../webhook-doubles.ts";

export const ME = AccountId("demo@postern.test");
export const OWNER = ownedBy(ME);
/** An application as the owner of endpoints, with this reach. */
export const keyOf = (reach: ReadonlyArray<string> | null = null): EndpointOwner => ({
  _tag: "Application",
  application: "app",
  reach,
  notify: null,
});
export const REQUEST = { url: "https://hooks.x.test/", events: ["email.received"] };
/** The endpoints of accounts and applications in memory, with the published, queued and sent events. */
export const endpointsWorld = () => {
  const state = {
    endpoints: [] as Array<Endpoint>,
    secrets: new Map<string, Option.Option<SigningSecrets>>(),
    published: [] as Array<MailEvent>,
    queued: [] as Array<Delivery>,
    posts: [] as Array<WebhookPost>,
    log: [] as Array<string>,
    isFull: false,
    isSuspended: false,
    isDeleted: false,
    /** Runs while the URL of an endpoint is being checked. */
    whileChecked: (): unknown => undefined,
    left: 3,
  };
  const find = (id: string) => state.endpoints.find((one) => one.id === id);
  const remove = (id: string) => {
    state.endpoints = state.endpoints.filter((one) => one.id !== id);
    return state.secrets.delete(id);
  };
  const entropy = Effect.runSync(Effect.provide(Entropy, numberedIds));
  const doubles = Layer.mergeAll(
    Layer.mock(Endpoints, {
      insert: (endpoint, secrets) =>
        Effect.sync(() => {
          if (state.isFull) return false;
          state.endpoints.push(endpoint);
          state.secrets.set(endpoint.id, Option.some(secrets));
          return true;
        }),
      find: (owner, id) =>
        Effect.sync(() => Option.filter(Option.fromUndefinedOr(find(id)), (one) => sameOwner(one.owner, owner))),
      list: (owner) => Effect.sync(() => state.endpoints.filter((one) => sameOwner(one.owner, owner))),
      findSubscribed: (_, __, type) => Effect.sync(() => state.endpoints.filter(({ events }) => events.includes(type))),
      ofApplication: (application, type) =>
        Effect.sync(() =>
          state.endpoints.filter(
            ({ owner, events }) =>
              owner._tag === "Application" && owner.application === application && events.includes(type),
          ),
        ),
      change: (ids, decide) =>
        Effect.sync(() =>
          ids.flatMap((id) => {
            const known = find(id);
            if (known === undefined) return [];
            const [answer, after] = decide(known);
            state.endpoints = state.endpoints.map((one) => (one.id === id ? after : one));
            return [answer];
          }),
        ),
      secrets: (ids) => Effect.sync(() => new Map([...state.secrets].filter(([id]) => ids.includes(id)))),
      replaceSecrets: (id, secrets) => Effect.sync(() => void state.secrets.set(id, Option.some(secrets))),
      remove: (_, id) => Effect.sync(() => remove(id)),
      eraseRemoved: (limit) => Effect.sync(() => (state.log.push(`erase ${limit}`), --state.left > 0)),
    }),
    Layer.mock(Creations, {
      once: (key, _, create, found) =>
        key === undefined
          ? create({
              begin: () => Effect.void,
              complete: (id) => Effect.sync(() => void state.log.push(`complete ${id}`)),
            })
          : Effect.map(
              found(key.key, { begin: () => Effect.void, complete: () => Effect.void }),
              (one) => Option.getOrNull(one) as never,
            ),
    }),
    Layer.mock(WatchStarter, {
      begin: (account) => Effect.sync(() => void state.log.push(`watch ${account}`)),
      resume: (account) => Effect.sync(() => void state.log.push(`stay with ${account}`)),
    }),
    Layer.mock(AccountDirectory, {
      list: () => Effect.succeed([{ ...newAccount(ME, 0), managed: true }]),
      find: () => Effect.succeedSome(newAccount(ME, 0)),
    }),
    Layer.mock(FolderRecords, { load: () => Effect.succeed([]) }),
    Layer.mock(EndpointPolicy, {
      check: (url) =>
        Effect.suspend(() => {
          state.whileChecked();
          return url.includes("private") ? new EndpointUrlRefused({ reason: "address" }) : Effect.void;
        }),
    }),
    Layer.mock(Applications, {
      find: () =>
        Effect.sync(() =>
          state.isDeleted ? Option.none() : Option.some({ suspendedAt: state.isSuspended ? T0 : null } as Application),
        ),
    }),
    Layer.mock(EventPublisher, {
      publish: (events) =>
        Effect.sync(() => {
          state.published.push(...events);
          return events.map((event, n) => ({ position: n + 7, event }));
        }),
    }),
    Layer.mock(DeliveryQueue, { insert: (added) => Effect.sync(() => void state.queued.push(...added)) }),
    Layer.mock(CredentialRelease, {
      release: (account) => Effect.sync(() => void state.log.push(`release ${account}`)),
    }),
    Layer.mock(WebhookSender, { send: (post) => Effect.sync(() => (state.posts.push(post), answered(204))) }),
    Layer.succeed(Hmac, { sha256: () => () => new Uint8Array(1) }),
    Layer.succeed(Entropy, entropy),
    readableIds,
    noTransaction,
  );
  const layer = Layer.provideMerge(Layer.mergeAll(WebhookEndpoints.layer, WebhookTrial.layer), doubles);
  const run = <A, E>(use: (endpoints: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
    Effect.scoped(Effect.provide(Effect.flatMap(WebhookEndpoints, use), layer));
  const create = (owner: EndpointOwner = OWNER, more: object = {}) =>
    Effect.andThen(
      TestClock.setTime(T0),
      run((endpoints) => endpoints.create(owner, { ...REQUEST, ...more })),
    );
  return { state, layer, run, create };
};

/** Returns the tag of the error that an effect has to fail with. */
export const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);
