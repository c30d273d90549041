import { DateTime, Option, Schema } from "effect";
import { Count, entriesUpTo, LongId, PositiveInt, RecordId, rule, textUpTo } from "../shared/rules.ts";

/** Default and maximum page size (spec 5.1); a larger limit is reduced to the maximum, which the response states. */
export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 200;

/** Messages of a batch, and messages found by its query. */
export const MAX_BATCH = 1_000;

/** A search text that every mail server accepts. */
const SearchText = textUpTo(500).check(
  rule((text) => (/\p{Cc}/u.test(text) ? "must not contain control characters" : undefined)),
);

/** A calendar day, `YYYY-MM-DD`. */
const Day = Schema.String.annotate({ format: "date" }).check(
  rule((day) =>
    /^\d{4}-\d{2}-\d{2}$/.test(day) && Option.isSome(DateTime.make(day)) ? undefined : "must be a day as YYYY-MM-DD",
  ),
);

const isGiven = (value: object): boolean => Object.values(value).some((one) => one !== undefined);

/** What a listing or a search may be asked for (spec 5). */
export const searchFields = {
  folder: textUpTo(1024),
  from: SearchText,
  to: SearchText,
  cc: SearchText,
  subject: SearchText,
  text: SearchText,
  scope: Schema.Literals(["headers", "all"]),
  since: Day,
  before: Day,
  larger: PositiveInt,
  smaller: PositiveInt,
  unread: Schema.Boolean,
  flagged: Schema.Boolean,
  hasAttachments: Schema.Boolean,
  page: PositiveInt,
  limit: PositiveInt,
  cursor: textUpTo(4096),
};

/** What a batch may search for: all of a search but its page. */
export const queryFields = { ...searchFields, larger: Count, smaller: Count };

/** What may change of a message, and what a request names messages by (spec 5.2). */
export const messageFields = {
  id: RecordId,
  attachmentId: LongId,
  ids: Schema.Array(RecordId).check(...entriesUpTo(MAX_BATCH, "items")),
  folderId: RecordId,
  unread: Schema.Boolean,
  flagged: Schema.Boolean,
  answered: Schema.Boolean,
  /** A message or a conversation. */
  threadId: textUpTo(255),
};

/** What a request has to give of several fields. */
export const messageRules = {
  search: rule((search: { readonly scope?: unknown; readonly text?: unknown }) =>
    search.scope === undefined || search.text !== undefined ? undefined : { path: ["scope"], issue: "needs text" },
  ),
  query: rule((query: object) =>
    isGiven(query) ? undefined : { path: ["folder"], issue: "is required, or another criterion" },
  ),
  change: rule((change: object) =>
    isGiven(change) ? undefined : { path: ["unread"], issue: "is required, or flagged, answered or folderId" },
  ),
  batch: rule(
    (batch: {
      readonly ids?: unknown;
      readonly query?: unknown;
      readonly change?: unknown;
      readonly delete?: unknown;
    }) =>
      (batch.ids === undefined) === (batch.query === undefined)
        ? { path: ["ids"], issue: "is required, or query, but not both" }
        : (batch.change === undefined) === (batch.delete === undefined)
          ? { path: ["change"], issue: "is required, or delete, but not both" }
          : undefined,
  ),
};
