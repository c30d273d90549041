import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { isFlooding } from "../wire/bound-responses.ts";
import { commandFailure, connectionLoss, floodFailure, isProgrammingError, timeoutFailure } from "./imap-failure.ts";
import { measureCommand } from "./imap-metrics.ts";
import { isAlive, takeRefusal } from "../wire/imapflow-internals.ts";

/**
 * Runs one command with a timeout. If a command is late or interrupted, the connection is closed, because it is in the
 * middle of a response. A command that cannot be written is a defect, not a failure of the server.
 */
export const command = <A>(
  client: ImapFlow,
  operation: string,
  timeout: number,
  run: () => Promise<A>,
): Effect.Effect<A, MailServerError> =>
  measureCommand(
    operation,
    Effect.callback<A, MailServerError>((resume) => {
      takeRefusal(client);
      run().then(
        (answer) => {
          const isEmpty = answer === undefined || (answer as unknown) === false;
          const refusal = takeRefusal(client);
          // On a closed connection, and after a refusal, imapflow returns undefined or false instead of failing.
          if (isEmpty && isFlooding(client)) resume(Effect.fail(floodFailure(operation)));
          else if (isEmpty && !isAlive(client)) resume(Effect.fail(connectionLoss(operation, client.byeReason)));
          else if (isEmpty && refusal !== undefined) resume(Effect.fail(commandFailure(operation, refusal)));
          else resume(Effect.succeed(answer));
        },
        (error) => {
          if (isFlooding(client)) resume(Effect.fail(floodFailure(operation)));
          else resume(isProgrammingError(error) ? Effect.die(error) : Effect.fail(commandFailure(operation, error)));
        },
      );
      return Effect.sync(() => client.close());
    }).pipe(Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(timeoutFailure(operation, timeout)) })),
  );
