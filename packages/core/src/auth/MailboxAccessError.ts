import type { MailServerError } from "../shared/MailServerError.ts";
import type { StoreUnavailable } from "../shared/StoreUnavailable.ts";
import type { MailboxCredentialsRejected } from "./errors.ts";

/** Why a mailbox of a signed-in account could not be reached: its server, its credential, or where we keep that. */
export type MailboxAccessError = MailServerError | MailboxCredentialsRejected | StoreUnavailable;
