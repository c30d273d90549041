import { Effect } from "effect";
import type { KeyReach } from "../auth/index.ts";
import type { AccountId, InputInvalid } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { RecordId } from "../shared/rules.ts";
import { containsReach } from "../auth/neighbours.ts";

/** The owner of an endpoint, both as stored and in requests for the owner's endpoints (spec 10.3). */
export type EndpointOwner = { readonly _tag: "Account"; readonly account: AccountId } | ApplicationOwner;

/** An application, whose endpoint gets the events of the managed accounts in a reach. */
export interface ApplicationOwner {
  readonly _tag: "Application";
  readonly application: string;
  /** A copy of the key's `accounts`; null for all accounts. */
  readonly reach: KeyReach | null;
  /** The key's address for notices about a disabled endpoint; null for none. The application's address takes precedence. */
  readonly notify: string | null;
}

/** Returns an account as the owner of endpoints. */
export const ownedBy = (account: AccountId): EndpointOwner => ({ _tag: "Account", account });

const checkName = checkerOf({ name: RecordId });

/** Returns an application as the owner of all its endpoints, from the operator's name for it (spec 7.13). */
export const ownedByApplication = (name: string): Effect.Effect<EndpointOwner, InputInvalid> =>
  Effect.as(checkName({ name }), { _tag: "Application", application: name, reach: null, notify: null });

/** Returns whether two owners are the same account, or keys of the same application. */
export const sameOwner = (one: EndpointOwner, other: EndpointOwner): boolean =>
  one._tag === "Account"
    ? other._tag === "Account" && one.account === other.account
    : other._tag === "Application" && one.application === other.application;

/**
 * Returns whether `asking` may change an endpoint of its account or application. For an application, its reach must
 * contain the endpoint's reach.
 */
export const mayChange = (asking: EndpointOwner, owner: EndpointOwner): boolean =>
  asking._tag === "Account" || (owner._tag === "Application" && containsReach(asking.reach, owner.reach));
