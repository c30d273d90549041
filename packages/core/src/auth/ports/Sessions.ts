import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { Session } from "../Session.ts";

/** Where sessions are kept (spec 3). One that was removed is never found again, in any process. */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly insert: (session: Session) => Effect.Effect<void, StoreUnavailable>;
    /** By id, for every request: as the store is once it was asked, never as it was before. */
    readonly find: (id: string) => Effect.Effect<Option.Option<Session>, StoreUnavailable>;
    /** The session of a browser by the hash of its cookie; as fresh as `find`. */
    readonly findByCookie: (cookieHash: string) => Effect.Effect<Option.Option<Session>, StoreUnavailable>;
    /** Puts what `decide` makes of a session in its place, null ends it; other changes of it wait meanwhile. */
    readonly change: <A>(
      id: string,
      decide: (session: Session) => readonly [A, Session | null],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    /** The sessions of an account, the last begun first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Session>, StoreUnavailable>;
    /** Ends a session of this account; false where it has no such session. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Ends all sessions of an account. */
    readonly removeAll: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes up to `limit` sessions that have expired; the accounts they were of, one for each session. */
    readonly removeExpired: (now: number, limit: number) => Effect.Effect<ReadonlyArray<AccountId>, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/Sessions") {}
