import type { Redacted } from "effect";
import type { AccountNotFound, AccountUnverified, HostLimited, OutsideReach, ServersFixed } from "../accounts/index.ts";
import type { CredentialRequired, Follow, GivenServers } from "../accounts/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AppMisconfigured, GrantInvalid, OtherIdentity, ProviderUnavailable } from "../oauth/index.ts";
import type { OfferedGrant } from "../oauth/neighbours.ts";
import type { InputInvalid, StoreUnavailable } from "../shared/index.ts";

/** The changes of an account; an undefined field is unchanged. */
export interface AccountPatch {
  readonly name?: string | null;
  readonly tags?: ReadonlyArray<string>;
  readonly paused?: boolean;
  readonly follow?: Follow;
  readonly password?: Redacted.Redacted;
  /** A new consent of the account's user. */
  readonly grant?: OfferedGrant;
  /** New servers. The request must contain a password, because other servers must not receive the stored credential. */
  readonly servers?: GivenServers;
}

/** The reason why a change of an account fails (spec 10.3). */
export type AccountChangeError =
  | InputInvalid
  | MailboxAccessError
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
