import type { ImapFlow } from "imapflow";

/** Returns whether the server identifies itself as Cyrus by ID. */
export const isCyrus = ({ serverInfo }: ImapFlow): boolean => /cyrus/i.test(serverInfo?.name || "");
