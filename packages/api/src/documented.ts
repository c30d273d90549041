import { Context } from "effect";
import { OpenApi } from "effect/http-api";

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

/** What the reference says of an operation, with an example of it. */
export const documented = ({
  summary,
  description,
  ...example
}: Example & { readonly summary: string; readonly description: string }) =>
  OpenApi.annotations({
    summary,
    description,
    transform: (operation) => withExample(operation as Operation, example) as Record<string, unknown>,
  }).pipe(Context.add(OperationExample, example));

const withExample = ({ requestBody, responses, ...operation }: Operation, { request, answer }: Example) => ({
  ...operation,
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
