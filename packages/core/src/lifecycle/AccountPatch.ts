import type { Redacted } from "effect";
import type {
  AccountNotFound,
  AccountUnverified,
  CredentialRequired,
  HostLimited,
  OutsideReach,
  ServersFixed,
} from "../accounts/index.ts";
import type { GivenServers } from "../accounts/neighbours.ts";
import type { AppMisconfigured, GrantInvalid, OtherIdentity, ProviderUnavailable } from "../oauth/index.ts";
import type { OfferedGrant } from "../oauth/neighbours.ts";
import type { InputInvalid, StoreUnavailable } from "../shared/index.ts";

/** What changes of an account; undefined stays. */
export interface AccountPatch {
  readonly name?: string | null;
  readonly tags?: ReadonlyArray<string>;
  readonly paused?: boolean;
  readonly password?: Redacted.Redacted;
  /** A new consent of the account's user. */
  readonly grant?: OfferedGrant;
  /** Others than those of the account need a password beside them: the stored credential is not shown to them. */
  readonly servers?: GivenServers;
}

/** Why an account is not changed (spec 10.3). */
export type AccountChangeError =
  | InputInvalid
  | AccountNotFound
  | AccountUnverified
  | CredentialRequired
  | HostLimited
  | AppMisconfigured
  | GrantInvalid
  | OtherIdentity
  | ProviderUnavailable
  | OutsideReach
  | ServersFixed
  | StoreUnavailable;
