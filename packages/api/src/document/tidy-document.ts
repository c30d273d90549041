import { refusalExamples, type RequestParts } from "./refusal-examples.ts";
import { eventWebhooks } from "./event-webhooks.ts";
import { describeAnswer, describeProblems, type Schema, type Schemas } from "./describe-problems.ts";

/** The parts of the derived document that this module changes. */
type Json = Readonly<Record<string, unknown>>;

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: { readonly anyOf?: ReadonlyArray<Json> } }>>;
}

interface Answer {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Document extends Json {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          RequestParts & { readonly "x-lenient"?: boolean; readonly responses: Readonly<Record<string, Answer>> }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Schemas; readonly securitySchemes: Readonly<Record<string, unknown>> };
}

const maybeOptional = (body: Body): Body => {
  const kinds = body.content["application/json"]?.schema.anyOf ?? [];
  const [some, ...others] = kinds.filter(({ type }) => type !== "null");
  if (some === undefined || others.length > 0 || kinds.length === 1) return body;
  const media = { ...body.content["application/json"], schema: some };
  return { ...body, content: { "application/json": media }, required: false } as Body;
};

/** The session cookie of browsers, an alternative to the token. */
const sessionCookie = (name: string) => ({
  type: "apiKey",
  in: "cookie",
  name,
  description:
    "Set by `POST /api/auth/login`. Its name is `__Host-session` at an https address without a path, `__Secure-session` " +
    "below a path, and `session` where the service is on plain http on loopback.",
});

/** The library's declaration of a number in a query: a text with a pattern, described in an `allOf`. */
interface NumericText {
  readonly pattern?: unknown;
  readonly allOf?: ReadonlyArray<Json>;
}

const isNumericText = (value: unknown): value is NumericText =>
  typeof value === "object" && String((value as NumericText | null)?.pattern).startsWith("^[+-]?(?:\\d+");

const asNumber = ({ allOf = [] }: NumericText) => ({
  type: "integer",
  minimum: 1,
  maximum: 2147483647,
  ...Object.assign({}, ...allOf),
});

/** The URL of a service in its OpenAPI document. */
export interface DocumentAddress {
  /** The path below which the service is mounted, such as `/mail`; `/` if it has its own origin. */
  readonly path: string;
  /** The name of the session cookie. */
  readonly cookie: string;
}

const ANY_ADDRESS: DocumentAddress = { path: "/", cookie: "__Host-session" };

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A, key: string) => B) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));

const PROBLEM = "application/problem+json";

/** Adds a description to each answer, and an example of each problem to a 400. */
const withAnswers = (document: Document, schemas: Schemas): Document => ({
  ...document,
  paths: mapValues(document.paths, (methods) =>
    mapValues(methods, ({ "x-lenient": lenient = false, ...operation }) => ({
      ...operation,
      responses: mapValues(operation.responses, (answer, status) => {
        const schema = answer.content[PROBLEM]?.schema;
        if (schema === undefined) return { ...answer, description: "Success" };
        const described = { ...answer, description: describeAnswer(schema, schemas) };
        if (status !== "400") return described;
        return {
          ...described,
          content: { [PROBLEM]: { schema, examples: refusalExamples(operation, lenient, schema, schemas) } },
        };
      }),
    })),
  ),
});

/**
 * Corrects the derived OpenAPI document. Declares numbers in queries as integers from 1, makes nullable bodies
 * optional, and names problem schemas by their `code`. Removes the stream annotations for the library's own clients,
 * and adds the events that endpoints receive.
 */
export const tidyDocument = (document: Json, { path, cookie }: DocumentAddress = ANY_ADDRESS): Json => {
  const text = JSON.stringify(document)
    .replaceAll(/"([a-z_]+)Encoded"/g, '"$1"')
    .replace('"scheme":"Bearer"', '"scheme":"bearer"')
    .replaceAll(/(#\/components\/schemas\/[a-z_]+)Encoded"/g, '$1"');
  const tidy = JSON.parse(text, (key, value: unknown) => {
    if (key === "x-effect-stream") return undefined;
    if (isNumericText(value)) return asNumber(value);
    return key === "requestBody" ? maybeOptional(value as Body) : value;
  }) as Document;
  const schemas = describeProblems(tidy.components.schemas);
  const { bearer } = tidy.components.securitySchemes;
  return {
    ...withAnswers(tidy, schemas),
    // The URL is relative to the origin from which the document is fetched.
    webhooks: eventWebhooks(),
    servers: [{ url: path, description: "This service" }],
    components: { schemas, securitySchemes: { bearer, cookie: sessionCookie(cookie) } },
  };
};
