import type { ConnectionPurpose, HostAdmission } from "@postern/core/accounts";
import { type MailServer, MailServerError } from "@postern/core/mail";
import type { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";

/** Waits until a connection to the server may be opened. */
export const awaitAdmission = (
  hosts: HostAdmission["Service"],
  server: MailServer,
  purpose: ConnectionPurpose,
): Effect.Effect<void, MailServerError | StoreUnavailable> =>
  Effect.catchTag(hosts.admit(server, purpose), "HostLimited", () => {
    const detail = "too many new connections to the host (MAIL_HOST_CONNECTIONS)";
    return Effect.fail(new MailServerError({ reason: "limited", operation: "connect", detail }));
  });
