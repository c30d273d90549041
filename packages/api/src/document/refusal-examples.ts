import { resolved, type Schema, type Schemas } from "./describe-problems.ts";
import type { Fault } from "../problems/problem.ts";

/** The parts of an operation that describe its requests. */
export interface RequestParts {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: Schema }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Returns an example of each problem of a 400, with a field or parameter of this operation. */
export const refusalExamples = (operation: RequestParts, lenient: boolean, problem: Schema, schemas: Schemas) => {
  const invalid = lenient ? WITHOUT_HOST : invalidPart(operation, schemas);
  return Object.fromEntries(
    (problem.anyOf ?? [problem]).map((reference) => {
      const { properties, examples } = resolved(reference, schemas);
      const example = examples![0] as { readonly errors: readonly [Fault] };
      const [{ field, message }] = example.errors;
      const code = String(properties!["code"]!.enum![0]);
      const fault = code === "invalid_request" ? invalid : { field: fieldLike(field, operation, schemas), message };
      return [code, { value: { ...example, errors: [fault] } }];
    }),
  );
};

/** The only possible 400 of an operation that ignores unknown parameters. */
const WITHOUT_HOST: Fault = { field: "request", message: "The Host header is missing" };

const bodyOf = ({ requestBody }: RequestParts, schemas: Schemas): Schema => {
  const [media] = Object.values(requestBody?.content ?? {});
  return media === undefined ? {} : resolved(media.schema, schemas);
};

/** Returns a possible fault of a request, in the wording of the service. */
const invalidPart = (operation: RequestParts, schemas: Schemas): Fault => {
  const { properties = {}, required = [] } = bodyOf(operation, schemas);
  const [field] = [...required, ...Object.keys(properties)];
  if (field !== undefined) {
    const { format, type } = resolved(properties[field]!, schemas);
    if (format === "binary") return { field, message: "must be a file with a name, before any other file of the form" };
    return { field, message: required.length > 0 ? "is required" : KINDS[type ?? "string"]! };
  }
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const plain = query.find(({ schema }) => schema.type !== "string" || schema.enum !== undefined) ?? query[0];
  if (plain === undefined) return { field: "limit", message: "is not a parameter of this request" };
  const { enum: choices, type = "string" } = resolved(plain.schema, schemas);
  return {
    field: plain.name,
    message: choices === undefined ? PARAMETERS[type]! : `must be ${durationInWords(choices)}`,
  };
};

const durationInWords = (choices: ReadonlyArray<unknown>): string =>
  `${choices.slice(0, -1).join(", ")} or ${String(choices.at(-1))}`;

const KINDS: Readonly<Record<string, string>> = {
  string: "must be a string",
  boolean: "must be true or false",
  array: "must be an array",
};

const PARAMETERS: Readonly<Record<string, string>> = { string: "must be given once", integer: "must be a number" };

/** Returns the field of the operation with this name, or else the first field whose name begins with it, or else the first field. */
const fieldLike = (name: string, operation: RequestParts, schemas: Schemas): string => {
  const fields = [
    ...(operation.parameters ?? []).map((parameter) => parameter.name),
    ...Object.entries(bodyOf(operation, schemas).properties ?? {}).flatMap(([field, schema]) => [
      field,
      ...Object.keys(resolved(schema, schemas).properties ?? {}).map((inner) => `${field}.${inner}`),
    ]),
  ];
  const like = fields.find((field) => field.slice(field.lastIndexOf(".") + 1).startsWith(name));
  return fields.includes(name) ? name : (like ?? fields[0]!);
};
