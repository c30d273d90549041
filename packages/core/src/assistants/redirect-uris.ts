import { LOOPBACK_URI } from "./rules.ts";

/** Whether a redirect URI leads to a program on the person's own machine. */
export const isLoopbackUri = (uri: string): boolean => LOOPBACK_URI.test(uri);

const withoutPort = (uri: string): string | undefined => {
  const [, origin, rest] = LOOPBACK_URI.exec(uri) ?? [];
  return origin === undefined ? undefined : `${origin} ${rest}`;
};

/** Whether a requested redirect URI is one of a client: the same text, or the same but for the port of a loopback address. */
export const isRegistered = (registered: ReadonlyArray<string>, uri: string): boolean => {
  const loopback = withoutPort(uri);
  return registered.some((known) => known === uri || (loopback !== undefined && withoutPort(known) === loopback));
};
