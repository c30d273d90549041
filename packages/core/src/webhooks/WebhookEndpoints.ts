import { Clock, Context, Effect, Layer, Option, Semaphore } from "effect";
import { WatchStarter } from "../watch/neighbours.ts";
import { recordOperation } from "../audit/neighbours.ts";
import { CredentialRelease, KeyRejected } from "../auth/index.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import { type KeyClaim, type RepeatError } from "../creations/neighbours.ts";
import type { EventType } from "../events/index.ts";
import { FolderRecords } from "../folders/index.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { Entropy, inSlices, type Precondition, type StoreUnavailable, Transaction } from "../shared/index.ts";
import type { InputInvalid } from "../shared/index.ts";
import { type Page, type PageRequest, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { disableEndpoint, editEndpoint, enableEndpoint, MAX_ENDPOINTS, newEndpoint } from "./endpoint-state.ts";
import { type EndpointOwner, mayChange } from "./EndpointOwner.ts";
import type { Endpoint, EndpointView, EndpointWithSecret, NewEndpoint } from "./Endpoint.ts";
import {
  checkFolders,
  checkInput,
  checkRequest,
  type EndpointRequest,
  type EndpointSettings,
  settingsOf,
} from "./endpoint-settings.ts";
import { EndpointChanged, EndpointNotFound, type EndpointUrlRefused, TooManyEndpoints } from "./errors.ts";
import { ownEvents, publishDisabled } from "./own-events.ts";
import { followSuspension, hasKeys, ownerApplications } from "./owner-applications.ts";
import { hintAt, listEndpoints, listEventTypes, secretsOf, viewEndpoint } from "./list-endpoints.ts";
import { EndpointPolicy } from "./ports/EndpointPolicy.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { initialSecrets, newSecret, overlapMillis, rotateSecret, secretHint } from "./signing-secrets.ts";
import { applicationWatches, startWatches } from "./endpoint-watches.ts";

type Refused = InputInvalid | EndpointUrlRefused;
type FindError = InputInvalid | EndpointNotFound | StoreUnavailable;

/**
 * Creates, reads, changes and deletes the endpoints of accounts and applications (spec 7.6, 10.3). An endpoint of
 * another owner, or with a reach that exceeds the key's reach, is reported as not found.
 */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** Creates an endpoint, once for each key, and starts to watch its accounts. Earlier messages raise no events. */
    readonly create: (
      owner: EndpointOwner,
      request: EndpointRequest,
      key?: CreationKey,
    ) => Effect.Effect<NewEndpoint, Refused | TooManyEndpoints | KeyRejected | MailboxAccessError | RepeatError>;
    /** Returns a page of the endpoints, oldest first. */
    readonly page: (
      owner: EndpointOwner,
      request: PageRequest,
    ) => Effect.Effect<Page<EndpointView>, InputInvalid | StoreUnavailable>;
    /** Returns a page of the event types that an endpoint can name. */
    readonly eventTypes: (request: PageRequest) => Effect.Effect<Page<EventType>, InputInvalid>;
    readonly find: (owner: EndpointOwner, id: string) => Effect.Effect<EndpointView, FindError>;
    /** Changes the given settings. Deliveries that are already due use the new settings. */
    readonly edit: (
      owner: EndpointOwner,
      id: string,
      request: Partial<EndpointRequest>,
      isWanted?: Precondition<Endpoint>,
    ) => Effect.Effect<EndpointView, Refused | FindError | EndpointChanged>;
    /** Deletes an endpoint. Its deliveries are deleted in the background. */
    readonly remove: (
      owner: EndpointOwner,
      id: string,
      isWanted?: Precondition<Endpoint>,
    ) => Effect.Effect<void, FindError | EndpointChanged>;
    /** Deletes the remaining rows of deleted endpoints. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
    readonly enable: (owner: EndpointOwner, id: string) => Effect.Effect<EndpointView, FindError>;
    readonly disable: (owner: EndpointOwner, id: string) => Effect.Effect<EndpointView, FindError>;
    /** Adds a new secret that takes effect after `overlap`, such as `24h`; at once if the current secret cannot be decrypted. */
    readonly rotateSecret: (
      owner: EndpointOwner,
      id: string,
      overlap?: string,
    ) => Effect.Effect<EndpointWithSecret, FindError>;
  }
>()("@postern/core/webhooks/WebhookEndpoints") {
  static readonly layer = Layer.effect(
    WebhookEndpoints,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const creations = yield* Creations;
      const watching = yield* WatchStarter;
      const watches = yield* applicationWatches;
      const policy = yield* EndpointPolicy;
      const records = yield* FolderRecords;
      const events = yield* ownEvents;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const owners = yield* ownerApplications;
      const { release: releaseCredential } = yield* CredentialRelease;
      const makeSecret = Effect.provideService(newSecret, Entropy, entropy);

      const findEndpoint = Effect.fnUntraced(function* (owner: EndpointOwner, id: string) {
        yield* checkInput({ id });
        const endpoint = yield* endpoints.find(owner, id);
        return Option.isNone(endpoint) ? yield* new EndpointNotFound() : endpoint.value;
      });

      const changeable = Effect.fnUntraced(function* (owner: EndpointOwner, id: string) {
        const endpoint = yield* findEndpoint(owner, id);
        return mayChange(owner, endpoint.owner) ? endpoint : yield* new EndpointNotFound();
      });

      const viewOf = (endpoint: Endpoint) => viewEndpoint(endpoints, endpoint);

      const checkEndpoint = Effect.fnUntraced(function* (owner: EndpointOwner, request: Partial<EndpointRequest>) {
        const events = yield* checkRequest(owner, request);
        if (request.url !== undefined) yield* policy.check(request.url);
        if (request.folders !== undefined) yield* checkFolders(records, owner, request.folders);
        return events === undefined ? {} : { events };
      });

      /** Fails unless the precondition accepts the endpoint; locks the endpoint until the transaction ends. */
      const checkWanted = Effect.fnUntraced(function* (id: string, isWanted: Precondition<Endpoint> = () => true) {
        const [isIt] = yield* endpoints.change([id], (known) => [isWanted(known), known]);
        if (isIt === false) return yield* new EndpointChanged();
      });

      const record = (operation: Parameters<typeof recordOperation>[0], owner: EndpointOwner, id: string) =>
        recordOperation(operation, { account: owner._tag === "Account" ? owner.account : null, target: id });

      /** Changes an endpoint of this owner; publishes in the same transaction that the change disabled it. */
      const changeEndpoint = (
        operation: "webhooks.change" | "webhooks.enable" | "webhooks.disable" | "webhooks.rotateSecret",
        owner: EndpointOwner,
        id: string,
        change: (endpoint: Endpoint, now: number) => Endpoint,
      ) =>
        Effect.gen(function* () {
          yield* changeable(owner, id);
          const now = yield* Clock.currentTimeMillis;
          const [decided] = yield* endpoints.change([id], (before) => {
            const after = change(before, now);
            return [{ before, after }, after];
          });
          if (decided === undefined) return yield* new EndpointNotFound();
          const { before, after } = decided;
          if (before.state === "enabled" && after.state === "disabled")
            yield* publishDisabled(events, after, "owner", now);
          yield* record(operation, owner, id);
          return yield* viewOf(after);
        }).pipe(transaction.run);

      const scope = yield* Effect.scope;
      const turn = yield* Semaphore.make(1);
      const sweep = turn.withPermits(1)(inSlices(endpoints.eraseRemoved(ROWS_AT_ONCE)));

      const watchesPendingOf = (owner: EndpointOwner) =>
        owner._tag === "Application" ? startWatches(watches, scope, owner.reach) : Effect.succeed(0);

      const createOne = Effect.fnUntraced(function* (owner: EndpointOwner, request: EndpointRequest, claim: KeyClaim) {
        const hadKeys = yield* hasKeys(owners, owner);
        const { events = [] } = yield* checkEndpoint(owner, request);
        if (owner._tag === "Account") yield* watching.begin(owner.account);
        const secret = yield* makeSecret;
        const id = `we_${yield* entropy.id(96)}`;
        const endpoint = newEndpoint(id, owner, settingsOf(request, events), yield* Clock.currentTimeMillis);
        yield* transaction.run(
          Effect.gen(function* () {
            if (owner._tag === "Account") yield* watching.resume(owner.account);
            yield* claim.complete(id);
            if (!(yield* endpoints.insert(endpoint, initialSecrets(secret))))
              return yield* new TooManyEndpoints({ most: MAX_ENDPOINTS });
            if (hadKeys && !(yield* hasKeys(owners, owner))) return yield* new KeyRejected();
            yield* record("webhooks.create", owner, id);
          }),
        );
        const made = yield* followSuspension(owners, endpoint);
        const watchesPending = yield* watchesPendingOf(owner);
        return { endpoint: made, secret, secretHint: secretHint(secret), watchesPending } as NewEndpoint;
      });

      const findCreated = (owner: EndpointOwner, id: string) =>
        Effect.all([Effect.flatMap(findEndpoint(owner, id), viewOf), watchesPendingOf(owner)]).pipe(
          Effect.map(([view, watchesPending]) => Option.some({ ...view, secret: null, watchesPending })),
          Effect.catchTag("EndpointNotFound", () => Effect.succeedNone),
        );

      return WebhookEndpoints.of({
        create: Effect.fn("WebhookEndpoints.create")(function* (owner, request, key) {
          yield* checkInput(request);
          return yield* creations.once(
            key,
            { operation: "webhooks.create", request },
            (claim) => createOne(owner, request, claim),
            (id) => findCreated(owner, id),
          );
        }),
        page: Effect.fn("WebhookEndpoints.page")((owner, request) => listEndpoints(endpoints, owner, request)),
        eventTypes: listEventTypes,
        find: Effect.fn("WebhookEndpoints.find")(function* (owner, id) {
          return yield* viewOf(yield* findEndpoint(owner, id));
        }),
        edit: Effect.fn("WebhookEndpoints.edit")(function* (owner, id, request, isWanted) {
          yield* changeable(owner, id);
          const changes = { ...request, ...(yield* checkEndpoint(owner, request)) } as Partial<EndpointSettings>;
          const edited = changeEndpoint("webhooks.change", owner, id, (one, now) => editEndpoint(one, changes, now));
          return yield* transaction.run(Effect.andThen(checkWanted(id, isWanted), edited));
        }),
        remove: Effect.fn("WebhookEndpoints.remove")(function* (owner, id, isWanted) {
          yield* changeable(owner, id);
          yield* transaction.run(
            Effect.gen(function* () {
              yield* checkWanted(id, isWanted);
              if (!(yield* endpoints.remove(owner, id))) return yield* new EndpointNotFound();
              yield* record("webhooks.remove", owner, id);
              if (owner._tag === "Account") yield* releaseCredential(owner.account);
            }),
          );
          const logLeft = (error: StoreUnavailable) =>
            Effect.logWarning("deleting an endpoint's rows failed, the sweep retries", error);
          yield* Effect.forkIn(Effect.catch(sweep, logLeft), scope);
        }),
        sweep,
        enable: Effect.fn("WebhookEndpoints.enable")(function* (owner, id) {
          const view = yield* changeEndpoint("webhooks.enable", owner, id, enableEndpoint);
          return { ...view, endpoint: yield* followSuspension(owners, view.endpoint) };
        }, transaction.run),
        disable: Effect.fn("WebhookEndpoints.disable")((owner, id) =>
          changeEndpoint("webhooks.disable", owner, id, (endpoint, now) => disableEndpoint(endpoint, "owner", now)),
        ),
        rotateSecret: Effect.fn("WebhookEndpoints.rotateSecret")(function* (owner, id, given) {
          yield* checkInput({ overlap: given });
          const overlap = overlapMillis(given);
          const secret = yield* makeSecret;
          // `changed` locks the endpoint until the transaction ends.
          const view = yield* changeEndpoint("webhooks.rotateSecret", owner, id, (endpoint, now) =>
            editEndpoint(endpoint, {}, now),
          );
          const now = yield* Clock.currentTimeMillis;
          const { secrets, activatesAt } = Option.match(yield* secretsOf(endpoints, id), {
            onNone: () => ({ secrets: initialSecrets(secret), activatesAt: now }),
            onSome: (known) => ({ secrets: rotateSecret(known, secret, overlap, now), activatesAt: now + overlap }),
          });
          yield* endpoints.replaceSecrets(id, secrets);
          return { ...view, secret, secretHint: hintAt(Option.some(secrets), now), activatesAt };
        }, transaction.run),
      });
    }),
  );
}
