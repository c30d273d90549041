import type { ImapFlow, SearchObject } from "imapflow";
import compile from "imapflow/lib/handler/imap-compiler.js";
import { searchCompiler } from "imapflow/lib/search-compiler.js";

const ALL = [{ type: "ATOM", value: "ALL" }];
/** The return option for results as ranges (RFC 4731). */
const RETURN_ALL = [{ type: "ATOM", value: "RETURN" }, ALL];

/**
 * Returns a search for UIDs as a command without its tag, as `ImapFlow.search` writes it; undefined if it
 * contains a synchronizing literal, because the server supports neither LITERAL+ nor LITERAL-.
 */
export const searchLine = (client: ImapFlow, query: SearchObject): string | undefined => {
  const { capabilities } = client;
  const keys = Object.keys(query).length === 0 ? ALL : searchCompiler(client, query);
  const attributes = [...(capabilities.has("ESEARCH") ? RETURN_ALL : []), ...keys];
  const parts = compile({ tag: "", command: "UID SEARCH", attributes } as Parameters<typeof compile>[0], {
    asArray: true,
    literalPlus: capabilities.has("LITERAL+"),
    literalMinus: capabilities.has("LITERAL-"),
  });
  // Without a tag the command begins with a space.
  return parts.length === 1 ? parts[0]!.toString("latin1").slice(1) : undefined;
};
