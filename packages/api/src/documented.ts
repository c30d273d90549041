import { Context } from "effect";
import { OpenApi } from "effect/http-api";
import { ReadLeniently } from "./ReadLeniently.ts";

/** Bodies of a request and of its answer, as JSON; a test decodes them with the operation's schemas. */
interface Example {
  readonly request?: unknown;
  readonly answer?: unknown;
}

/** The example of an operation. */
export const OperationExample = Context.Reference<Example>("@postern/api/OperationExample", {
  defaultValue: () => ({}),
});

interface Body {
  readonly content: Readonly<Record<string, object>>;
}

interface Operation {
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Documentation extends Example {
  readonly summary: string;
  readonly description: string;
  /** Whether unknown parts of a request are ignored, so that only a request without a host is 400. */
  readonly lenient?: boolean;
}

/** Annotations of an operation for the API reference, with an example. */
export const documented = ({ summary, description, lenient = false, ...example }: Documentation) =>
  OpenApi.annotations({
    summary,
    description,
    transform: (operation) => withExample(operation as Operation, example, lenient) as Record<string, unknown>,
  }).pipe(Context.add(OperationExample, example), Context.add(ReadLeniently, lenient));

const withExample = (
  { requestBody, responses, ...operation }: Operation,
  { request, answer }: Example,
  lenient: boolean,
) => ({
  ...operation,
  ...(lenient ? { "x-lenient": true } : {}),
  ...(requestBody === undefined ? {} : { requestBody: showing(requestBody, request) }),
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, body]) => [status, status < "300" ? showing(body, answer) : body]),
  ),
});

const showing = (body: Body, example: unknown): Body =>
  example === undefined
    ? body
    : {
        ...body,
        content: Object.fromEntries(Object.entries(body.content).map(([type, media]) => [type, { ...media, example }])),
      };
