import type { ImapFlow } from "imapflow";

/** Whether the server says by ID that it is Cyrus. */
export const isCyrus = ({ serverInfo }: ImapFlow): boolean => /cyrus/i.test(serverInfo?.name || "");
