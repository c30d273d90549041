import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";

/** Runs work in an open mailbox, and fails like `reopen` if the mailbox is gone. The server answers NO or BYE without the reason if a mailbox is deleted during a command. */
export const failIfGone =
  <E2, R2>(reopen: Effect.Effect<unknown, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E | MailServerError, R>): Effect.Effect<A, E | E2 | MailServerError, R | R2> =>
    Effect.catchIf(work, isVague, (error) => Effect.andThen(reopen, Effect.fail(error)));

const isVague = (error: unknown): error is MailServerError =>
  (error as MailServerError)._tag === "MailServerError" &&
  ["protocol", "unreachable"].includes((error as MailServerError).reason);
