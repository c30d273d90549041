import { connect, type LookupFunction, type Socket } from "node:net";
import type { CheckedAddress } from "@postern/core/shared";
import { Effect } from "effect";

/** The minimum time for each address, in milliseconds. */
const MIN_SHARE_MILLIS = 250;

/**
 * Returns a `lookup` function for Node's connections that replaces the DNS. The function resolves every name to these
 * addresses, which the egress guard checked, and fails if there are none.
 */
export const fixedLookup =
  (addresses: ReadonlyArray<CheckedAddress>): LookupFunction =>
  (_host, { all }, found) => {
    const [first] = addresses;
    if (first === undefined) return found(new Error("no checked address"), "", 0);
    return all === true ? found(null, [...addresses]) : found(null, first.address, first.family);
  };

/**
 * Opens a TCP connection to the first of these addresses that accepts one. `timeout` is in milliseconds, for all
 * addresses together. The caller closes the socket. If interrupted, the function closes the socket.
 */
export const dial = (
  addresses: ReadonlyArray<CheckedAddress>,
  port: number,
  timeout: number,
): Effect.Effect<Socket, NodeJS.ErrnoException> =>
  Effect.callback<Socket, NodeJS.ErrnoException>((resume) => {
    const socket = connect({
      // This name is never resolved, because `lookup` answers for it.
      host: "checked",
      port,
      lookup: fixedLookup(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.max(MIN_SHARE_MILLIS, Math.floor(timeout / addresses.length)),
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
