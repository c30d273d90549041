import { searchFields } from "@postern/core/rules";
import { Schema } from "effect";
import { Flag } from "./wire.ts";

/** The parameter that adds previews to a listing. */
export const PreviewQuery = Schema.optionalKey(
  Flag.annotate({ description: "`false` leaves out the previews, which saves a command to the mail server." }),
);

/** Paging parameters of listings. */
export const paging = {
  page: Schema.optionalKey(searchFields.page.annotateKey({ description: "Page number, from 1. Default: 1." })),
  limit: Schema.optionalKey(
    searchFields.limit.annotateKey({ description: "Messages per page. Default: 20; more than 200 counts as 200." }),
  ),
  cursor: Schema.optionalKey(
    searchFields.cursor.annotate({
      description:
        "`nextCursor` of the previous page. Overrides `page`; no message is repeated or left out while mail arrives.",
    }),
  ),
};

/** The field of a query that names a folder by its id only. */
export const FolderIdQuery = Schema.optionalKey(
  searchFields.folderId.annotate({ description: "Id of the folder, in place of `folder`." }),
);

/** Descriptions of the criteria that a search and a batch have in common. */
export const CRITERIA = {
  folder: "Folder to search: `INBOX`, an id, a path, or a name that is unique. Default: all folders.",
  from: "Text in the field From: part of a name or an address.",
  to: "Text in the field To: part of a name or an address.",
  cc: "Text in the field Cc: part of a name or an address.",
  subject: "Text in the subject.",
  text: "Text in the header or the body.",
  messageId: "The field Message-ID, with or without its angle brackets.",
  since:
    "Messages that arrived on or after a day, `YYYY-MM-DD` in the time zone of the mail server, or at or after a time in ISO 8601.",
  before: "Messages that arrived before a day or time, in the forms of `since`.",
  unread: "`true`: unread messages only; `false`: read messages only.",
  flagged: "`true`: flagged messages only; `false`: the others only.",
  hasAttachments: "`true`: messages with attachments only; `false`: the others only.",
  label: "Messages with this label, compared without case.",
  larger: "Messages larger than this many bytes.",
  smaller: "Messages smaller than this many bytes.",
} as const;
