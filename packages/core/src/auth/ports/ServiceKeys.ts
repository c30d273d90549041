import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { ServiceKey } from "../ServiceKey.ts";

/** The store of service keys. It keeps a hash of each secret and never returns it; results are never cached. */
export class ServiceKeys extends Context.Service<
  ServiceKeys,
  {
    readonly insert: (key: ServiceKey, hash: string) => Effect.Effect<void, StoreUnavailable>;
    /** Finds the key with this id if `hash` is the stored one, which is compared in constant time. */
    readonly findByHash: (id: string, hash: string) => Effect.Effect<Option.Option<ServiceKey>, StoreUnavailable>;
    /** Finds a key by its id. Streams check it, because they outlast the request that opened them. */
    readonly find: (id: string) => Effect.Effect<Option.Option<ServiceKey>, StoreUnavailable>;
    /** All keys, the newest first. */
    readonly list: Effect.Effect<ReadonlyArray<ServiceKey>, StoreUnavailable>;
    /** Records a use at `now`, unless one after `replaces` is recorded. */
    readonly use: (id: string, now: number, replaces: number) => Effect.Effect<void, StoreUnavailable>;
    /** Removes a key; false if there is no such key. */
    readonly remove: (id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes the keys of an application; returns their ids. */
    readonly removeApplication: (application: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/ServiceKeys") {}
