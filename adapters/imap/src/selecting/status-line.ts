import type { ImapFlow } from "imapflow";
import { encodePath } from "imapflow/lib/tools.js";

/** Characters of a name that can be sent in quotes. */
const QUOTABLE = /^[\x20-\x7e]*$/;

/** Returns the name of a mailbox in quotes; undefined if a name has other characters. */
export const quotedName = (client: ImapFlow, path: string): string | undefined => {
  const name = encodePath(client as never, path);
  return QUOTABLE.test(name) ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : undefined;
};

/** Characters of a name that can be sent as it is (RFC 9051, 9, "atom"). */
const ATOM = /^[\w./-]+$/;

/** Returns the name of a mailbox as an atom or in quotes; undefined if neither is possible. */
export const writtenName = (client: ImapFlow, path: string): string | undefined =>
  ATOM.test(path) ? path : quotedName(client, path);

/** Returns a STATUS command without its tag; undefined for a name that cannot be sent in quotes. */
export const statusLine = (client: ImapFlow, path: string, items: string): string | undefined => {
  const name = quotedName(client, path);
  return name === undefined ? undefined : `STATUS ${name} (${items})`;
};
