import { type MailServer, MailServerError, type MailServers } from "@postern/core/mail";
import type { AccountId, StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";

/** Returns the IMAP server of an account. */
export const serverOf = (
  servers: MailServers["Service"],
  account: AccountId,
): Effect.Effect<MailServer, MailServerError | StoreUnavailable> =>
  servers.of(account).pipe(
    Effect.map(({ imap }) => imap),
    Effect.catchTag("NoMailServers", () =>
      Effect.fail(
        new MailServerError({ reason: "unreachable", operation: "connect", detail: "the account has no mail servers" }),
      ),
    ),
  );
