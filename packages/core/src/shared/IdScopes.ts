import { type Brand, Context, Effect } from "effect";
import type { AccountId } from "./AccountId.ts";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/**
 * The owner of the messages that an id can name: an account, or one generation of an account. Another mail server may
 * have other messages under the same UIDVALIDITY and UIDs, so the ids of each generation are encoded with their own key
 * (spec 5.2).
 */
export type IdScope = AccountId | Brand.Branded<string, "IdScope">;

/** Returns the present scope of an account's message ids. By default an account has one generation. */
export const IdScopes = Context.Reference<{
  readonly of: (account: AccountId) => Effect.Effect<IdScope, StoreUnavailable>;
}>("@postern/core/shared/IdScopes", { defaultValue: () => ({ of: Effect.succeed }) });
