import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { AuthorizationCode } from "../AuthorizationCode.ts";

/** Stores codes by their hashes, for all processes together. */
export class AuthorizationCodes extends Context.Service<
  AuthorizationCodes,
  {
    readonly insert: (code: AuthorizationCode) => Effect.Effect<void, StoreUnavailable>;
    /** Removes a code and returns it. If calls are concurrent, only one of them gets the code. */
    readonly take: (id: string) => Effect.Effect<Option.Option<AuthorizationCode>, StoreUnavailable>;
    /** Removes the codes of an account. */
    readonly removeAll: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes codes that expired before a time (epoch milliseconds). */
    readonly removeExpired: (before: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/assistants/ports/AuthorizationCodes") {}
