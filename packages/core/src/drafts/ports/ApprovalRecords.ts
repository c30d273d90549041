import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { Approval, ApprovalState } from "../approvals/Approval.ts";

/** A filter for pending approvals: of a draft, of a key or grant, or expiring by a time. */
export type PendingFilter =
  | { readonly account: AccountId; readonly draft: string }
  | { readonly requester: string }
  | { readonly expiresBy: number };

/** The store of approvals (spec 13.2). Times in epoch milliseconds. */
export class ApprovalRecords extends Context.Service<
  ApprovalRecords,
  {
    readonly insert: (approval: Approval) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (account: AccountId, id: string) => Effect.Effect<Option.Option<Approval>, StoreUnavailable>;
    /** Lists up to `limit` approvals of an account after `after`, newest first, then by id; `state` restricts them to one state. */
    readonly list: (
      account: AccountId,
      state: ApprovalState | undefined,
      after: ListPlace | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable>;
    /** Returns up to `limit` pending approvals, oldest first. */
    readonly pending: (
      filter: PendingFilter,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable>;
    /** Replaces an approval by the result of `decide`; concurrent changes wait. None if the account has no such approval. */
    readonly change: <A>(
      account: AccountId,
      id: string,
      decide: (approval: Approval) => readonly [A, Approval],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    /** Deletes up to `limit` approvals in a final state that were made before `before`; returns their number. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StoreUnavailable>;
    /** Erases up to `limit` approvals of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/drafts/ports/ApprovalRecords") {}
