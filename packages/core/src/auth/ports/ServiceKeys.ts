import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { ServiceKey } from "../ServiceKey.ts";

/** The store of service keys. It keeps a hash of each secret and never returns it; results are never cached. */
export class ServiceKeys extends Context.Service<
  ServiceKeys,
  {
    readonly insert: (key: ServiceKey, hash: string) => Effect.Effect<void, StoreUnavailable>;
    /** Finds the key with this id if `hash` equals the stored hash; the comparison takes constant time. */
    readonly findByHash: (id: string, hash: string) => Effect.Effect<Option.Option<ServiceKey>, StoreUnavailable>;
    /** Finds a key by its id. Streams call this function, because a stream outlasts the request that opened it. */
    readonly find: (id: string) => Effect.Effect<Option.Option<ServiceKey>, StoreUnavailable>;
    /** Lists up to `limit` keys after `after`, newest first; keys of equal age by id. Returns fewer only at the end. */
    readonly list: (
      after: ListPlace | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<ServiceKey>, StoreUnavailable>;
    /**
     * Replaces the fields of a key that a request may change: name, grants, expiry, `sendPerDay`, `sendPolicy` and `notify`.
     * Concurrent changes of the key wait. None if the key does not exist.
     */
    readonly change: <A>(
      id: string,
      decide: (known: ServiceKey) => readonly [answer: A, after: ServiceKey],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    /** Records a use at `now`, unless a use after `replaces` is already recorded. */
    readonly use: (id: string, now: number, replaces: number) => Effect.Effect<void, StoreUnavailable>;
    /** Removes a key; false if the key does not exist. */
    readonly remove: (id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes the keys of an application; returns their ids. */
    readonly removeApplication: (application: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
    /**
     * Suspends an application until it is resumed or removed. Its keys are then found with `suspendedAt`. False if the
     * application has no key.
     */
    readonly suspend: (application: string, now: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Ends the suspension of an application, if any; false if the application has no key. */
    readonly resume: (application: string) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/ServiceKeys") {}
