import type { ImapFlow } from "imapflow";

/** The data items of `SUMMARY`, as imapflow would write them; `header` replaces the one header field. */
export const summaryItems = (
  { capabilities }: ImapFlow,
  header: ReadonlyArray<string> = ["BODY.PEEK[HEADER.FIELDS (REFERENCES)]"],
): string =>
  [
    "UID FLAGS ENVELOPE BODYSTRUCTURE INTERNALDATE RFC822.SIZE",
    ...(capabilities.has("OBJECTID") ? ["THREADID"] : capabilities.has("X-GM-EXT-1") ? ["X-GM-THRID"] : []),
    ...header,
  ].join(" ");
