import { connect, type LookupFunction, type Socket } from "node:net";
import type { JudgedAddress } from "@postern/core/shared";
import { Effect } from "effect";

/** The least time for each address, in milliseconds. */
const LEAST_SHARE = 250;

/**
 * Returns a `lookup` for Node's connections in place of the DNS: every name leads to these addresses, which the egress
 * guard judged, and to no other. It fails if there are none.
 */
export const judgedLookup =
  (addresses: ReadonlyArray<JudgedAddress>): LookupFunction =>
  (_host, { all }, found) => {
    const [first] = addresses;
    if (first === undefined) return found(new Error("no judged address"), "", 0);
    return all === true ? found(null, [...addresses]) : found(null, first.address, first.family);
  };

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
      lookup: judgedLookup(addresses),
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
