import { Effect, Schema } from "effect";
import { HttpApiError } from "effect/http-api";

/** One fault of a request: the field, and the rule that it violates. */
export const FieldError = Schema.Struct({
  field: Schema.String.annotate({
    description: "Path of the field, such as `attachments.0.id`; `body` for the whole body.",
    examples: ["to"],
  }),
  message: Schema.String.annotate({
    description: "The rule that the field violates, worded to follow its name. It contains no value of the request.",
    examples: ["is required"],
  }),
});

/** A fault to show in the example of a problem. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

const detailOf = (detail: string) =>
  Schema.String.annotate({
    description: "What happened, and what to do next, in words for people.",
    examples: [detail],
  }).pipe(Schema.withConstructorDefault(Effect.succeed(detail)));

/**
 * Returns a problem of RFC 9457 with Postern's members (spec 2). `detail` states what happened and what to do next; an
 * answer may contain a more precise text.
 */
export const problem =
  <Self>() =>
  <const Code extends string, const Status extends number, const Fields extends Schema.Struct.Fields = {}>(
    code: Code,
    status: Status,
    title: string,
    detail: string,
    fields?: Fields,
  ) =>
    HttpApiError.Problem<Self>()(
      code,
      { type: `urn:postern:problem:${code}`, status, title },
      {
        ok: Schema.tag(false).annotate({ description: "Always false in a problem." }),
        code: Schema.tag(code).annotate({
          description: "The error code, which identifies the problem. It never changes.",
        }),
        detail: detailOf(detail),
        requestId: Schema.String.annotate({
          description: "Id of the request, also in the header `X-Request-Id` and in the log of the service.",
          examples: ["5-5fO77NTleA5uJ-"],
        }),
        ...(fields as Fields),
      },
      { description: detail },
    );

/** Returns a 400 problem, which lists the faults of fields; `example` is one of them. */
export const badRequest =
  <Self>() =>
  <const Code extends string, const Fields extends Schema.Struct.Fields = {}>(
    code: Code,
    title: string,
    detail: string,
    example: Fault,
    fields?: Fields,
  ) =>
    problem<Self>()(code, 400, title, detail, {
      errors: Schema.Array(FieldError).annotate({
        description: "The faults of the request, at most 100.",
        examples: [[example]],
      }),
      ...(fields as Fields),
    });
