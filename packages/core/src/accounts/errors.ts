import { Schema } from "effect";
import { ConnectionCause } from "./ConnectionCause.ts";

const CheckFields = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  cause: Schema.NullOr(ConnectionCause),
});

/** The account does not exist or is outside the key's reach; the error does not tell which (404, spec 10.2). */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {}) {}

/** The client names a version of the account that is not the current one (409, spec 2.7). */
export class AccountChanged extends Schema.TaggedError<AccountChanged>()("AccountChanged", {}) {}

/** The account is paused (409, spec 10.2). */
export class AccountPaused extends Schema.TaggedError<AccountPaused>()("AccountPaused", {}) {}

/** The mail server refuses the account's stored credential (409 for keys, spec 10.2). */
export class AccountNeedsReauth extends Schema.TaggedError<AccountNeedsReauth>()("AccountNeedsReauth", {}) {}

/** A managed account with this address exists (409, spec 10.3). */
export class AccountExists extends Schema.TaggedError<AccountExists>()("AccountExists", {}) {}

/** The account would be outside the key's reach, before or after the change (403, spec 10.2). */
export class OutsideReach extends Schema.TaggedError<OutsideReach>()("OutsideReach", {}) {}

/** The request names servers for an account that uses the deployment's servers (400, spec 10.3). */
export class ServersFixed extends Schema.TaggedError<ServersFixed>()("ServersFixed", {}) {}

/** These servers never accepted the stored credential, and the request contains no new credential (422, spec 10.3). */
export class CredentialRequired extends Schema.TaggedError<CredentialRequired>()("CredentialRequired", {}) {}

/** The account's servers did not accept its credential, or could not be reached (422, spec 10.3). */
export class AccountUnverified extends Schema.TaggedError<AccountUnverified>()("AccountUnverified", {
  imap: CheckFields,
  smtp: CheckFields,
  /** Whether the IMAP server refused the credential without a reason. */
  isUnclear: Schema.optionalKey(Schema.Boolean),
}) {}

/** The account is being deleted (409, spec 10.3). */
export class AccountBeingRemoved extends Schema.TaggedError<AccountBeingRemoved>()("AccountBeingRemoved", {}) {}

/** The account has no protocol log (404, spec 10.5). */
export class ProtocolLogNotFound extends Schema.TaggedError<ProtocolLogNotFound>()("ProtocolLogNotFound", {}) {}

/** A connection to the host of the mail server would have to wait for more than ten seconds (429, spec 10.3). */
export class HostLimited extends Schema.TaggedError<HostLimited>()("HostLimited", {}) {}
