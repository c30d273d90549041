import { messageFields, searchFields } from "../messages/rules.ts";
import { rule, textUpTo, wholeBetween } from "../shared/rules.ts";

const FOLDER = /^(\*|inbox|sent|drafts|trash|junk|archive|f_[\w-]{1,64})$/;

/** A list of folders with commas between them. */
const Folders = textUpTo(1_000).check(
  rule((text) =>
    text.split(",").every((id) => FOLDER.test(id))
      ? undefined
      : "must be roles and ids of folders, or * for all but Junk and Trash, with commas between them",
  ),
);

/** The rules of a request for a part of the feed of events (spec 7.10). */
export const feedFields = {
  after: textUpTo(64),
  types: textUpTo(1_000),
  folders: Folders,
  limit: wholeBetween(1, 200),
  wait: wholeBetween(0, 60),
};

/** The rules of a request that waits for a message (spec 5.6). */
export const waitFields = {
  from: searchFields.from,
  to: searchFields.to,
  subject: searchFields.subject,
  contains: searchFields.text,
  folders: messageFields.folders,
  timeout: messageFields.timeout,
  after: feedFields.after,
};
