import { listingFields, messageFields, searchFields } from "../messages/rules.ts";
import { textUpTo, wholeBetween } from "../shared/rules.ts";

/** The rules of a request for a part of the feed of events (spec 7.10). */
export const feedFields = {
  after: textUpTo(64),
  types: textUpTo(1_000),
  folders: listingFields.folders,
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
