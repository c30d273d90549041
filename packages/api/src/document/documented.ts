import { Context } from "effect";
import { OpenApi } from "effect/http-api";
import { ReadLeniently } from "./ReadLeniently.ts";
import { isAboutMailbox, NeededScopes, type NeededScope, SESSION_SCOPES } from "../auth/scopes.ts";

/** Example bodies of a request and of its answer, as JSON. A test decodes them with the operation's schemas. */
interface Example {
  readonly request?: unknown;
  readonly answer?: unknown;
  /** The answer with 202, if the operation answers with both 200 and 202. */
  readonly accepted?: unknown;
}

/** The example of an operation. */
export const OperationExample = Context.Reference<Example>("@postern/api/OperationExample", {
  defaultValue: () => ({}),
});

interface Body {
  readonly content: Readonly<Record<string, object>>;
}

interface Operation {
  readonly security: ReadonlyArray<object>;
  readonly parameters: ReadonlyArray<object>;
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Documentation extends Example {
  readonly summary: string;
  readonly description: string;
  /** Whether unknown parts of a request are ignored. If so, only a request without a host gets a 400. */
  readonly lenient?: boolean;
  /** The scope that the operation needs, or several scopes; one of these suffices. Default: `session`. */
  readonly scope?: NeededScope | ReadonlyArray<NeededScope>;
}

/** Annotations of an operation for the API reference, with an example and the scope that it needs. */
export const documented = ({ summary, description, lenient = false, scope = "session", ...example }: Documentation) => {
  const needed = typeof scope === "string" ? [scope] : scope;
  return OpenApi.annotations({
    summary,
    description,
    transform: (operation) =>
      withAccess(withExample(operation as Operation, example, lenient), needed) as Record<string, unknown>,
  }).pipe(
    Context.add(OperationExample, example),
    Context.add(ReadLeniently, lenient),
    Context.add(NeededScopes, needed),
  );
};

const withExample = (
  { requestBody, responses, ...operation }: Operation,
  { request, answer, accepted = answer }: Example,
  lenient: boolean,
) => ({
  ...operation,
  ...(lenient ? { "x-lenient": true } : {}),
  ...(requestBody === undefined ? {} : { requestBody: showing(requestBody, request) }),
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, body]) => [
      status,
      status < "300" ? showing(body, status === "202" ? accepted : answer) : body,
    ]),
  ),
});

/** Adds to an operation the credentials that may use it: the scopes of keys, and whether a session is allowed. */
const withAccess = (operation: Pick<Operation, "security" | "parameters">, needed: ReadonlyArray<NeededScope>) => {
  if (operation.security.length === 0) return operation;
  const scopes = needed.filter((scope) => scope !== "session");
  const isForSessions = needed.some((scope) => SESSION_SCOPES.includes(scope));
  return {
    ...operation,
    security: [{ bearer: scopes }, ...(isForSessions ? [{ cookie: [] }] : [])],
    parameters: isAboutMailbox(needed) ? [...operation.parameters, POSTERN_ACCOUNT] : operation.parameters,
  };
};

const POSTERN_ACCOUNT = {
  name: "postern-account",
  in: "header",
  required: false,
  schema: {
    type: "string",
    description:
      "Id (`acc_…`) or address of the account. Required with a service key, except for webhook endpoints: " +
      "without this header, a request concerns the endpoints of the application. A session may name only its " +
      "own account.",
  },
};

const showing = (body: Body, example: unknown): Body =>
  example === undefined
    ? body
    : {
        ...body,
        content: Object.fromEntries(Object.entries(body.content).map(([type, media]) => [type, { ...media, example }])),
      };
