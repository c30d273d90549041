import type { ImapFlow } from "imapflow";
import { internalsOf } from "./imapflow-internals.ts";

/** The announcement of a literal at the end of a write. */
const LITERAL = /\{(\d+)\}\r\n$/;

/** The number of bytes at the end of a write that are searched for the announcement. */
const TAIL = 32;

/**
 * Makes a new client send literals without waiting for the server if the server accepts that (LITERAL+, RFC 7888). This
 * saves a round trip for each stored message. imapflow itself does not wait for literals of up to 4,096 bytes.
 */
export const sendLiteralsAtOnce = (client: ImapFlow): void => {
  const internals = internalsOf(client);
  const write = internals.write!.bind(client);
  internals.write = (chunk) => {
    let part = typeof chunk === "string" ? Buffer.from(chunk, "latin1") : chunk;
    for (;;) {
      const size = LITERAL.exec(part.toString("latin1", Math.max(0, part.length - TAIL)))?.[1];
      const next = internals.commandParts[0];
      if (size === undefined || next === undefined || !client.capabilities.has("LITERAL+")) return write(part);
      write(Buffer.concat([part.subarray(0, part.length - `${size}}\r\n`.length), Buffer.from(`${size}+}\r\n`)]));
      internals.commandParts.shift();
      part = next;
    }
  };
};
