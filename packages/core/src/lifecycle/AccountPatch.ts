import type { Redacted } from "effect";
import type { GivenServers } from "../accounts/index.ts";
import type { OfferedGrant } from "../oauth/index.ts";

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
