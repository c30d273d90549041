import type { MailServerError } from "@postern/core";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { commandFailure, connectionLost, tooLate } from "./imap-failure.ts";
import { timed } from "./imap-metrics.ts";
import { isAlive } from "./imapflow-internals.ts";

/**
 * One command on a connection, answered within the time it has. A connection left in the middle of an answer is of no
 * more use, so a late or interrupted command closes it.
 */
export const command = <A>(
  client: ImapFlow,
  operation: string,
  timeout: number,
  run: () => Promise<A>,
  failure: (error: unknown) => MailServerError = (error) => commandFailure(operation, error),
): Effect.Effect<A, MailServerError> =>
  timed(
    operation,
    Effect.callback<A, MailServerError>((resume) => {
      run().then(
        (answer) =>
          // On a closed connection imapflow comes back empty-handed instead of failing.
          resume(
            !isAlive(client) && (answer === undefined || (answer as unknown) === false)
              ? Effect.fail(connectionLost(operation, client.byeReason))
              : Effect.succeed(answer),
          ),
        (error) => resume(Effect.fail(failure(error))),
      );
      return Effect.sync(() => client.close());
    }).pipe(Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(tooLate(operation, timeout)) })),
  );
