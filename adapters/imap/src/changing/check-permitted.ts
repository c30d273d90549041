import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { permissionFailure } from "../connection/imap-failure.ts";

/**
 * Fails unless these flags can be changed permanently in the open mailbox. A server may answer OK to a STORE although
 * it ignores the STORE (Dovecot) or applies the STORE only to the session. Only the response to SELECT tells which
 * flags are permanent.
 */
export const checkPermitted = (
  client: ImapFlow,
  operation: string,
  flags: ReadonlyArray<string>,
): Effect.Effect<void, MailServerError> =>
  Effect.suspend(() => {
    if (client.mailbox === false || flags.length === 0) return Effect.void;
    const { path, readOnly, permanentFlags } = client.mailbox;
    if (readOnly === true) return permissionFailure(operation, `${path} is read-only`);
    if (permanentFlags === undefined) return Effect.void;
    const known = new Set([...permanentFlags].map((flag) => flag.toLowerCase()));
    const missing = flags.filter((flag) => !known.has(flag.toLowerCase()));
    return missing.length === 0
      ? Effect.void
      : permissionFailure(operation, `${path} does not keep ${missing.join(" ")}`);
  });
