import { Schema } from "effect";
import { HttpApiSchema } from "effect/http-api";

/** The bytes of a download. */
export const Bytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" }));

/** The request headers of a download. */
export const rangeHeaders = {
  range: Schema.optionalKey(
    Schema.String.annotate({ description: "One range of bytes (RFC 9110, 14).", examples: ["bytes=0-65535"] }),
  ),
  "if-range": Schema.optionalKey(
    Schema.String.annotate({
      description: "`ETag` of an earlier answer. If it has changed, the answer is not the range but all bytes.",
    }),
  ),
};
