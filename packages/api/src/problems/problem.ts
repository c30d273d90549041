import { Schema } from "effect";
import { HttpApiError } from "effect/http-api";

/** One fault of a request: the field it is about, and what the field must be. */
export const FieldError = Schema.Struct({
  field: Schema.String.annotate({
    description: "Path of the field, such as `attachments.0.id`; `body` for the whole body.",
    examples: ["to"],
  }),
  message: Schema.String.annotate({
    description: "What the field must be, to be read after its name. It repeats no value of the request.",
    examples: ["is required"],
  }),
});

/** Members of every problem. */
export const members = <const Code extends string>(code: Code) => ({
  ok: Schema.tag(false).annotate({ description: "Always false in a problem." }),
  code: Schema.tag(code).annotate({ description: "The error code. It never changes: tell problems apart by it." }),
  requestId: Schema.String.annotate({
    description: "Id of the request, also in the header `X-Request-Id` and in the log of the service.",
    examples: ["5-5fO77NTleA5uJ-"],
  }),
});

/** Members of a problem that lists the fields at fault. */
export const membersWithErrors = <const Code extends string>(code: Code) => ({
  ...members(code),
  errors: Schema.Array(FieldError).annotate({ description: "The faults of the request, at most 100." }),
});

/** A problem of RFC 9457 with our members (spec 2); `description` says when it occurs and what to do about it. */
export const problem =
  <Self>() =>
  <const Code extends string, const Status extends number>(
    code: Code,
    status: Status,
    title: string,
    description: string,
  ) =>
    HttpApiError.Problem<Self>()(code, { type: `urn:postern:problem:${code}`, status, title }, members(code), {
      description,
    });

/** A 400, which lists the fields at fault. */
export const badRequest =
  <Self>() =>
  <const Code extends string>(code: Code, title: string, description: string) =>
    HttpApiError.Problem<Self>()(
      code,
      { type: `urn:postern:problem:${code}`, status: 400, title },
      membersWithErrors(code),
      { description },
    );
