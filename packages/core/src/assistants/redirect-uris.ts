import { LOOPBACK_URI } from "./rules.ts";

/** Returns whether a redirect URI leads to a program on the person's own machine. */
export const isLoopbackUri = (uri: string): boolean => LOOPBACK_URI.test(uri);

const withoutPort = (uri: string): string | undefined => {
  const [, origin, rest] = LOOPBACK_URI.exec(uri) ?? [];
  return origin === undefined ? undefined : `${origin} ${rest}`;
};

/**
 * Returns whether a requested redirect URI is registered for the client. The texts must be equal, except for the port
 * of a loopback address.
 */
export const isRegistered = (registered: ReadonlyArray<string>, uri: string): boolean => {
  const loopback = withoutPort(uri);
  return registered.some((known) => known === uri || (loopback !== undefined && withoutPort(known) === loopback));
};
