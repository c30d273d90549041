import { Schema } from "effect";
import {
  Count,
  entriesUpTo,
  isDay,
  isMoment,
  LongId,
  PositiveInt,
  RecordId,
  rule,
  textUpTo,
  wholeBetween,
} from "../shared/rules.ts";

export { listingFields } from "./listing/rules.ts";

/** The maximum number of messages that a batch may name or its query may find. */
export const MAX_BATCH = 1_000;

/** The maximum number of labels that one request may add or remove. */
const MAX_LABELS = 50;

/** A search text that every mail server accepts. */
const SearchText = textUpTo(500).check(
  rule((text) => (/\p{Cc}/u.test(text) ? "must not contain control characters" : undefined)),
);

/** A calendar day, `YYYY-MM-DD`, or an instant. */
const DayOrInstant = Schema.String.check(
  rule((text) =>
    isDay(text) || isMoment(text) ? undefined : "must be a day as YYYY-MM-DD or a time such as 2026-01-02T03:04:05Z",
  ),
);

interface NamedFolder {
  readonly folder?: unknown;
  readonly folderId?: unknown;
}

const namedTwice = ({ folder, folderId }: NamedFolder) =>
  folder === undefined || folderId === undefined ? undefined : { path: ["folderId"], issue: "is given beside folder" };

const isGiven = (value: object): boolean => Object.values(value).some((one) => one !== undefined);

/** The rules of the criteria that a search and the query of a batch have in common (spec 5). */
const criteriaFields = {
  folder: textUpTo(1024),
  folderId: RecordId,
  from: SearchText,
  to: SearchText,
  cc: SearchText,
  subject: SearchText,
  messageId: SearchText,
  text: SearchText,
  label: SearchText,
  scope: Schema.Literals(["headers", "all"]),
  since: DayOrInstant,
  before: DayOrInstant,
  larger: PositiveInt,
  smaller: PositiveInt,
  unread: Schema.Boolean,
  flagged: Schema.Boolean,
  hasAttachments: Schema.Boolean,
  page: PositiveInt,
  limit: PositiveInt,
  cursor: textUpTo(4096),
};

/** The rules of the parameters of a listing or search (spec 5). */
export const searchFields = { ...criteriaFields, q: SearchText, order: Schema.Literals(["folder", "date"]) };

/** The rules of the criteria by which a batch selects messages. */
export const queryFields = { ...criteriaFields, larger: Count, smaller: Count };

/** The rules of the fields that change a message, and of the ids of messages (spec 5.3). */
export const messageFields = {
  id: RecordId,
  attachmentId: LongId,
  ids: Schema.Array(RecordId).check(...entriesUpTo(MAX_BATCH, "items")),
  folderId: RecordId,
  unread: Schema.Boolean,
  flagged: Schema.Boolean,
  answered: Schema.Boolean,
  labels: Schema.Array(textUpTo(255)).check(...entriesUpTo(MAX_LABELS, "labels")),
  /** The id of a message or a conversation. */
  threadId: textUpTo(255),
  include: Schema.Literal("text"),
  folders: Schema.Array(searchFields.folder).check(...entriesUpTo(10, "folders")),
  /** The maximum wait for a message, in seconds. */
  timeout: wholeBetween(0, 120),
};

/** Rules about several fields of a request together. */
export const messageRules = {
  folder: rule((of: NamedFolder) => namedTwice(of)),
  search: rule(
    (search: NamedFolder & { readonly scope?: unknown; readonly text?: unknown; readonly q?: unknown }) =>
      namedTwice(search) ??
      (search.scope === undefined || search.text !== undefined || search.q !== undefined
        ? undefined
        : { path: ["scope"], issue: "needs text or q" }),
  ),
  query: rule(
    (query: NamedFolder) =>
      namedTwice(query) ??
      (isGiven(query) ? undefined : { path: ["folder"], issue: "is required, or another criterion" }),
  ),
  change: rule((change: object) =>
    isGiven(change)
      ? undefined
      : { path: ["unread"], issue: "is required, or flagged, answered, addLabels, removeLabels or folderId" },
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
