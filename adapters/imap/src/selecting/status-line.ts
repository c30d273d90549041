import type { ImapFlow } from "imapflow";
import { encodePath } from "imapflow/lib/tools.js";

/** Characters of a name that can be sent in quotes. */
const QUOTABLE = /^[\x20-\x7e]*$/;

/** Returns a STATUS command without its tag; undefined for a name that cannot be sent in quotes. */
export const statusLine = (client: ImapFlow, path: string, items: string): string | undefined => {
  const name = encodePath(client as never, path);
  return QUOTABLE.test(name) ? `STATUS "${name.replaceAll(/["\\]/g, "\\$&")}" (${items})` : undefined;
};
