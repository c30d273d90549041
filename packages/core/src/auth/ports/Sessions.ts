import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { Session } from "../Session.ts";

/** The store of sessions (spec 3). Once a session is removed, no process finds it. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Stores a new session; no effect if a session with this id is stored. */
    readonly insert: (session: Session) => Effect.Effect<void, StoreUnavailable>;
    /** Finds a session by id. Every request reads the current state; results are never cached. */
    readonly find: (id: string) => Effect.Effect<Option.Option<Session>, StoreUnavailable>;
    /** Finds a browser's session by the hash of its cookie; never cached. */
    readonly findByCookie: (cookieHash: string) => Effect.Effect<Option.Option<Session>, StoreUnavailable>;
    /** Replaces a session by the result of `decide`; null removes it. Concurrent changes of the session wait. */
    readonly change: <A>(
      id: string,
      decide: (session: Session) => readonly [A, Session | null],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    /** Lists up to `limit` live sessions of an account after `after`, most recent first; sessions of equal age by id. */
    readonly list: (
      account: AccountId,
      now: number,
      limit: number,
      after?: ListPlace,
    ) => Effect.Effect<ReadonlyArray<Session>, StoreUnavailable>;
    /** Returns whether the account has at least one session that has not expired. */
    readonly hasLive: (account: AccountId, now: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes a session of this account; false if the account has no such session. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Removes all sessions of an account. */
    readonly removeAll: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes up to `limit` expired sessions; returns the account of each. */
    readonly removeExpired: (now: number, limit: number) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/Sessions") {}
