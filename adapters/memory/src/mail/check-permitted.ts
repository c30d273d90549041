import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { Mailbox } from "./Mailbox.ts";

/** Fails if the account may only read one of these mailboxes. */
export const checkPermitted = (
  operation: string,
  ...mailboxes: ReadonlyArray<Mailbox | null | undefined>
): Effect.Effect<void, MailServerError> =>
  mailboxes.some((mailbox) => mailbox?.isReadOnly === true)
    ? Effect.fail(new MailServerError({ reason: "not_permitted", operation, detail: "the mailbox is read-only" }))
    : Effect.void;
