import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { AgentGrant } from "../AgentGrant.ts";

/** The store of grants (spec 13.3). Once a grant is removed, no process finds it, because results are never cached. */
export class AgentGrantRecords extends Context.Service<
  AgentGrantRecords,
  {
    readonly insert: (grant: AgentGrant) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (id: string) => Effect.Effect<Option.Option<AgentGrant>, StoreUnavailable>;
    /**
     * Replaces a grant by the result of `decide`; null removes it. Concurrent changes of the grant wait. None if the
     * grant does not exist.
     */
    readonly change: <A>(
      id: string,
      decide: (grant: AgentGrant) => readonly [A, AgentGrant | null],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    /** Lists up to `limit` live grants of an account after `after`, newest first; grants of equal age by id. */
    readonly list: (
      account: AccountId,
      now: number,
      after: ListPlace | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AgentGrant>, StoreUnavailable>;
    /** Returns whether the account has at least one grant that has not expired. */
    readonly hasLive: (account: AccountId, now: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes all grants of an account. */
    readonly removeAll: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes up to `limit` grants that expired before a time (epoch milliseconds), including unreadable ones; returns them. */
    readonly removeExpired: (
      before: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Pick<AgentGrant, "id" | "account">>, StoreUnavailable>;
  }
>()("@postern/core/assistants/ports/AgentGrantRecords") {}
