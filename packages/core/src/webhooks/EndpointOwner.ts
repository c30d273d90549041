import type { KeyReach } from "../auth/index.ts";
import type { AccountId } from "../shared/index.ts";

/** The owner of an endpoint, as it is stored and as a request for the owner's endpoints names it (spec 10.3). */
export type EndpointOwner = { readonly _tag: "Account"; readonly account: AccountId } | ApplicationOwner;

/** An application, whose endpoint gets the events of the managed accounts in a reach. */
export interface ApplicationOwner {
  readonly _tag: "Application";
  readonly application: string;
  /** A copy of the key's `accounts`; null for all accounts. */
  readonly reach: KeyReach | null;
  /** The address for the notice that the endpoint was disabled; null for none. */
  readonly notify: string | null;
}
