import type { ImapFlow } from "imapflow";

/** Returns the data items of `SUMMARY` as imapflow would write them; `header` replaces the header field. */
export const summaryItems = (
  { capabilities }: ImapFlow,
  header: ReadonlyArray<string> = ["BODY.PEEK[HEADER.FIELDS (REFERENCES)]"],
): string =>
  [
    "UID FLAGS ENVELOPE BODYSTRUCTURE INTERNALDATE RFC822.SIZE",
    ...(capabilities.has("OBJECTID")
      ? ["THREADID"]
      : capabilities.has("X-GM-EXT-1")
        ? ["X-GM-THRID", "X-GM-LABELS"]
        : []),
    ...header,
  ].join(" ");

/** Returns the data items of a message's flags. Gmail's labels are separate from flags. */
export const flagItems = ({ capabilities }: ImapFlow): string =>
  capabilities.has("X-GM-EXT-1") ? "UID FLAGS X-GM-LABELS" : "UID FLAGS";
