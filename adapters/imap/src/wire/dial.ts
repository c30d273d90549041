import { connect, type Socket } from "node:net";
import type { JudgedAddress } from "@postern/core/shared";
import { Effect } from "effect";

/** The least time for each address, in milliseconds. */
const LEAST_SHARE = 250;

/**
 * Opens a TCP connection to the first of these addresses that accepts one; `timeout` in milliseconds for all of them.
 * The caller closes the socket. If interrupted, closes it itself.
 */
export const dial = (
  addresses: ReadonlyArray<JudgedAddress>,
  port: number,
  timeout: number,
): Effect.Effect<Socket, NodeJS.ErrnoException> =>
  Effect.callback<Socket, NodeJS.ErrnoException>((resume) => {
    const socket = connect({
      // Never resolved, because `lookup` answers for it.
      host: "judged",
      port,
      lookup: (_host, _options, found) => found(null, [...addresses]),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.max(LEAST_SHARE, Math.floor(timeout / addresses.length)),
    });
    // Without a listener an 'error' event ends the process.
    socket.on("error", (error) => resume(Effect.fail(error)));
    socket.once("connect", () => resume(Effect.succeed(socket)));
    return Effect.sync(() => socket.destroy());
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(Object.assign(new Error(`no connection within ${timeout} ms`), { code: "ETIMEDOUT" })),
    }),
  );
