import { Context, type Effect, type Option } from "effect";
import type { EventType } from "../../events/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { Endpoint } from "../Endpoint.ts";
import type { SigningSecrets } from "../signing-secrets.ts";

/** Where endpoints and their secrets are kept, the secrets sealed (spec 7). */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** False, and nothing is inserted, where the account has `MAX_ENDPOINTS`. */
    readonly insert: (endpoint: Endpoint, secrets: SigningSecrets) => Effect.Effect<boolean, StoreUnavailable>;
    readonly find: (account: AccountId, id: string) => Effect.Effect<Option.Option<Endpoint>, StoreUnavailable>;
    /** The endpoints of an account, oldest first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Endpoint>, StoreUnavailable>;
    /** The account's endpoints that chose this kind of event, enabled or not; none is removed before the transaction ends. */
    readonly subscribed: (
      account: AccountId,
      type: EventType,
    ) => Effect.Effect<ReadonlyArray<Endpoint>, StoreUnavailable>;
    /**
     * Puts decisions made about endpoints in their places, one after another in the order of their ids, while other
     * decisions about them wait; answers with what was decided for those that are still there.
     */
    readonly change: <A>(
      ids: ReadonlyArray<string>,
      decide: (endpoint: Endpoint) => readonly [A, Endpoint],
    ) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>;
    /** The secrets of those endpoints that are there; none of one whose secrets cannot be opened, which is logged. */
    readonly secrets: (
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyMap<string, Option.Option<SigningSecrets>>, StoreUnavailable>;
    readonly replaceSecrets: (id: string, secrets: SigningSecrets) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Removes an endpoint: from now on there is none, nor what is in flight. The rest of its rows is left to
     * `eraseRemoved`. False where the account has none of that id.
     */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Erases at most so many deliveries of removed endpoints, with their attempts; false once nothing is left. */
    readonly eraseRemoved: (limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes all endpoints of an account, and erases like `eraseRemoved`. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ports/Endpoints") {}
