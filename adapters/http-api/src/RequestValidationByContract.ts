import { InvalidRequest, RequestValidation } from "@postern/api";
import { Effect, SchemaIssue } from "effect";
import { HttpApiMiddleware } from "effect/http-api";
import { RequestId } from "./RequestId.ts";

const format = SchemaIssue.makeFormatterStandardSchemaV1();

/** Names every field at fault (decisions 2). The messages are the contract's own and repeat no value. */
export const RequestValidationByContract = HttpApiMiddleware.layerSchemaErrorTransform(RequestValidation, (error) =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.fail(error)
    : Effect.flatMap(RequestId, (requestId) =>
        Effect.fail(
          new InvalidRequest({
            requestId,
            errors: format(error.cause.issue).issues.map(({ path = [], message }) => ({
              field: path.map((part) => String(typeof part === "object" ? part.key : part)).join(".") || "body",
              message,
            })),
          }),
        ),
      ),
);
