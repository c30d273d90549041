import type { MailServerError } from "./MailServerError.ts";
import type { StoreUnavailable } from "../shared/index.ts";
import type { MailboxCredentialsRejected } from "./MailboxCredentialsRejected.ts";

/** The reason why a mailbox of a signed-in account cannot be reached: its server, its credential or our store. */
export type MailboxAccessError = MailServerError | MailboxCredentialsRejected | StoreUnavailable;
