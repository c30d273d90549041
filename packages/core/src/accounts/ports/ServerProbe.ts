import { Context, type Effect } from "effect";
import type { MailCredential } from "../../auth/index.ts";
import type { MailboxCursor, MailServer } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { ConnectionCause } from "../ConnectionCause.ts";

/** The result of a connection to a server and a sign-in (spec 10.3). */
export type ProbeResult =
  | {
      readonly _tag: "Accepted";
      /** The capabilities after the sign-in, in upper case and sorted: of IMAP, or the keywords of EHLO. */
      readonly capabilities: ReadonlyArray<string>;
      /** The current cursor of INBOX; null for SMTP. */
      readonly present: MailboxCursor | null;
    }
  | {
      readonly _tag: "Failed";
      readonly cause: ConnectionCause;
      /** The server refused the credential without a reason, so the refusal may be temporary (spec 10.3). */
      readonly isUnclear?: boolean;
    };

/** Tests one server; the protocol log of the account records the conversation. */
type Probe = (server: MailServer, credential: MailCredential, account: AccountId) => Effect.Effect<ProbeResult>;

/**
 * Tests a credential at a mail server, on a separate connection that is closed afterwards (spec 10.3). Sends nothing
 * before the server's greeting, never fails, and returns within ten seconds. Callers ask `HostAdmission` first.
 */
export class ServerProbe extends Context.Service<
  ServerProbe,
  {
    readonly imap: Probe;
    readonly smtp: Probe;
  }
>()("@postern/core/accounts/ports/ServerProbe") {}
