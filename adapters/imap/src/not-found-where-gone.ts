import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";

/**
 * What is done in an open mailbox, failing as opening it again does where it is gone: a server whose mailbox is deleted
 * under a command answers NO or BYE, and which mailbox is meant does not follow from either.
 */
export const notFoundWhereGone =
  <E2, R2>(reopen: Effect.Effect<unknown, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E | MailServerError, R>): Effect.Effect<A, E | E2 | MailServerError, R | R2> =>
    Effect.catchIf(work, isVague, (error) => Effect.andThen(reopen, Effect.fail(error)));

const isVague = (error: unknown): error is MailServerError =>
  (error as MailServerError)._tag === "MailServerError" &&
  ["protocol", "unreachable"].includes((error as MailServerError).reason);
