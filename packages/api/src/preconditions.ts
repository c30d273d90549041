import { Schema } from "effect";
import { textUpTo } from "./wire.ts";

/** The header field of a request that is carried out only on the version that the client names (RFC 9110, 13.1.1). */
export const IfMatchHeaders = {
  "if-match": Schema.optionalKey(
    textUpTo(128).annotate({
      description:
        "Version that the request is about, as it is or as an entity tag: another version is refused with 409. Omitted or " +
        "`*`: any version.",
      examples: ["3"],
    }),
  ),
};
