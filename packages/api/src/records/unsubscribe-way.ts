import { Schema } from "effect";

/** The way to leave a mailing list (spec 5.8). */
export const UnsubscribeWay = Schema.Struct({
  method: Schema.Literals(["one_click", "mailto", "link"]).annotate({
    description: "`one_click`: a POST to `url` (RFC 8058); `mailto`: a mail; `link`: the user has to open `url`.",
  }),
  url: Schema.String.annotate({ description: "URL in the List-Unsubscribe field: `https:`, `http:` or `mailto:`." }),
}).annotate({ identifier: "UnsubscribeWay", description: "The way to leave the mailing list of a message." });
