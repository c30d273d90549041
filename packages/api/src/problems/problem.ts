import { Schema } from "effect";
import { HttpApiError } from "effect/http-api";

/** One thing wrong with a request: the field it is about, and what it must be. */
export const FieldError = Schema.Struct({ field: Schema.String, message: Schema.String });

/** Members of every problem. */
export const members = <const Code extends string>(code: Code) => ({
  ok: Schema.tag(false),
  code: Schema.tag(code),
  requestId: Schema.String,
});

/** A problem of RFC 9457 with our members (spec 2); clients tell problems apart by `code`. */
export const problem =
  <Self>() =>
  <const Code extends string, const Status extends number>(code: Code, status: Status, title: string) =>
    HttpApiError.Problem<Self>()(code, { type: `urn:postern:problem:${code}`, status, title }, members(code));

/** A 400, which says what is wrong with which field. */
export const badRequest =
  <Self>() =>
  <const Code extends string>(code: Code, title: string) =>
    HttpApiError.Problem<Self>()(
      code,
      { type: `urn:postern:problem:${code}`, status: 400, title },
      { ...members(code), errors: Schema.Array(FieldError) },
    );
