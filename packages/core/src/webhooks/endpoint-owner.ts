import { containsReach } from "../auth/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";

/** Returns an account as the owner of endpoints. */
export const ownedBy = (account: AccountId): EndpointOwner => ({ _tag: "Account", account });

/** Whether both are the same account, or keys of the same application. */
export const sameOwner = (one: EndpointOwner, other: EndpointOwner): boolean =>
  one._tag === "Account"
    ? other._tag === "Account" && one.account === other.account
    : other._tag === "Application" && one.application === other.application;

/** Whether `asking` may change an endpoint that its account or application has: its reach contains the endpoint's. */
export const mayChange = (asking: EndpointOwner, owner: EndpointOwner): boolean =>
  asking._tag === "Account" || (owner._tag === "Application" && containsReach(asking.reach, owner.reach));
