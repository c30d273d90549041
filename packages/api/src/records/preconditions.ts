import { IdempotencyKey, RecordId } from "@postern/core/rules";
import { Schema } from "effect";

const keyField = (description: string) => ({
  "idempotency-key": Schema.optionalKey(
    IdempotencyKey.annotate({ description, examples: ["6f1c2f0e-receipt-2026-014"] }),
  ),
});

/** The header field of a request to send (spec 6.5). */
export const SendKeyHeaders = keyField(
  "Key of this message, chosen by the client. A repeat within 24 hours gets the first answer and sends nothing.",
);

/** The header field of a request to create a resource (spec 2.6). */
export const CreationKeyHeaders = keyField(
  "Key of this creation, chosen by the client. A repeat within 24 hours creates nothing: it returns the record " +
    "that the first request created, in its present state, without a secret that is shown once.",
);

/** The version of a record, returned with it and sent back in `If-Match`. */
export const Version = Schema.String.annotate({
  description: "Version for `If-Match`, which changes when a request changes the record. Also in the header `ETag`.",
  examples: ["n4bQgYhMfWWaL-qg"],
});

/** The header field with the version that the record must have (RFC 9110, 13.1.1). */
export const IfMatchHeaders = {
  "if-match": Schema.optionalKey(
    RecordId.annotate({
      description:
        "Version that the record must have, in plain form or as an entity tag; with another version, the answer is " +
        "409. Omitted or `*`: any version.",
      examples: ["3"],
    }),
  ),
};
