import { Context, type Effect, type Option } from "effect";
import type { KeyReach } from "../../auth/index.ts";
import type { EventType } from "../../events/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { Endpoint } from "../Endpoint.ts";
import type { EndpointOwner } from "../EndpointOwner.ts";
import type { SigningSecrets } from "../signing-secrets.ts";

/** The store of endpoints and their encrypted secrets (spec 7). */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** Inserts an endpoint; false if its owner already has `MAX_ENDPOINTS`. */
    readonly insert: (endpoint: Endpoint, secrets: SigningSecrets) => Effect.Effect<boolean, StoreUnavailable>;
    /** Returns an endpoint of this account or application. */
    readonly find: (owner: EndpointOwner, id: string) => Effect.Effect<Option.Option<Endpoint>, StoreUnavailable>;
    /** Returns the endpoints of an account or application, oldest first. */
    readonly list: (owner: EndpointOwner) => Effect.Effect<ReadonlyArray<Endpoint>, StoreUnavailable>;
    /**
     * Returns the endpoints that subscribe to this event type of an account, enabled or not; locks them against removal
     * until the transaction ends. `entries` are the reach entries that match the account; none if no application gets
     * the account's events.
     */
    readonly findSubscribed: (
      account: AccountId,
      entries: KeyReach,
      type: EventType,
    ) => Effect.Effect<ReadonlyArray<Endpoint>, StoreUnavailable>;
    /** Returns the endpoints of an application that subscribe to this event type, enabled or not; locks them like `findSubscribed`. */
    readonly ofApplication: (
      application: string,
      type: EventType,
    ) => Effect.Effect<ReadonlyArray<Endpoint>, StoreUnavailable>;
    /** Returns the entries of the reaches of all endpoints of applications. */
    readonly listReachEntries: Effect.Effect<KeyReach, StoreUnavailable>;
    /** Returns whether an endpoint of an application has one of these entries in its reach. */
    readonly isReached: (entries: KeyReach) => Effect.Effect<boolean, StoreUnavailable>;
    /**
     * Replaces endpoints by the result of `decide`, one after another in the order of their ids; concurrent changes
     * wait. Returns the results for the endpoints that still exist.
     */
    readonly change: <A>(
      ids: ReadonlyArray<string>,
      decide: (endpoint: Endpoint) => readonly [A, Endpoint],
    ) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>;
    /** Returns the secrets of the endpoints that exist. If secrets cannot be decrypted, returns none for them and writes a log entry. */
    readonly secrets: (
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyMap<string, Option.Option<SigningSecrets>>, StoreUnavailable>;
    readonly replaceSecrets: (id: string, secrets: SigningSecrets) => Effect.Effect<void, StoreUnavailable>;
    /** Removes an endpoint and its in-flight deliveries; `eraseRemoved` deletes the other rows. False if the owner has no such endpoint. */
    readonly remove: (owner: EndpointOwner, id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Deletes up to `limit` deliveries of removed endpoints with their attempts; false once none is left. */
    readonly eraseRemoved: (limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes all endpoints of an application like `remove`, also those that a transaction inserts; returns their number. */
    readonly removeApplication: (application: string) => Effect.Effect<number, StoreUnavailable>;
    /** Removes all endpoints of an account, and deletes rows like `eraseRemoved`. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ports/Endpoints") {}
