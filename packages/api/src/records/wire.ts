import { pageFields } from "@postern/core/rules";
import { Schema } from "effect";

/** The `ok` of every success (spec 2.1). */
/** The mark of an answer to a deletion. */
export const Deleted = Schema.Literal(true).annotate({ description: "Always true." });

export const Ok = Schema.Literal(true).annotate({ description: "Always true in a success." });

/** The requested page of a list (spec 2.8). */
export const pageQuery = {
  cursor: Schema.optionalKey(pageFields.cursor.annotate({ description: "`nextCursor` of the previous page." })),
  limit: Schema.optionalKey(
    pageFields.limit.annotateKey({ description: "Entries per page. Default and maximum: 200." }),
  ),
};

/** The cursor of a page (spec 2.8). */
export const NextCursor = Schema.NullOr(Schema.String).annotate({
  description: "`cursor` of the next page; null on the last one.",
});

/** A point in time: ISO 8601, UTC, with milliseconds. */
export const Instant = Schema.String.annotate({ format: "date-time" });

/** A boolean in a query: `true` or `false`. */
export const Flag = Schema.Literals(["true", "false"]);
