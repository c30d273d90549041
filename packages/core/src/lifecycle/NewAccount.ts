import type { Redacted } from "effect";
import type {
  AccountBeingRemoved,
  AccountNotFound,
  AccountUnverified,
  HostLimited,
  OutsideReach,
  ServersFixed,
} from "../accounts/index.ts";
import type { AccountExists, GivenServers, Follow } from "../accounts/neighbours.ts";
import type { AddressMalformed } from "../auth/index.ts";
import type { AppNotFound, GrantInvalid, OtherIdentity, ProviderError } from "../oauth/index.ts";
import type { OfferedGrant } from "../oauth/neighbours.ts";
import type { InputInvalid, StoreUnavailable } from "../shared/index.ts";
import type { NamedGrant } from "./offered-grants.ts";

/** The sign-in data of a new account. */
export type AccountSecret =
  | { readonly _tag: "Password"; readonly password: Redacted.Redacted }
  /** The grant is given by an application; `delegateOf` is the id or the address of an account. */
  | { readonly _tag: "Named"; readonly grant: Omit<NamedGrant, "delegateOf"> & { readonly delegateOf?: string } }
  /** The grant comes from the consent of the account's user. */
  | { readonly _tag: "Offered"; readonly grant: OfferedGrant };

/** The request for a new managed account. */
export interface NewAccount extends GivenServers {
  readonly email: string;
  readonly name: string | null;
  readonly secret: AccountSecret;
  readonly tags: ReadonlyArray<string>;
  /** The folders to follow; undefined if the deployment's setting applies. */
  readonly follow?: Follow | undefined;
}

/** The reason why the creation of an account fails (spec 10.3). */
export type AccountCreationError =
  | InputInvalid
  | AddressMalformed
  | AccountExists
  | AccountNotFound
  | AppNotFound
  | GrantInvalid
  | OtherIdentity
  | ProviderError
  | AccountUnverified
  | AccountBeingRemoved
  | HostLimited
  | OutsideReach
  | ServersFixed
  | StoreUnavailable;
