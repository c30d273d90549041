export type Schemas = Readonly<Record<string, Schema>>;

export interface Schema {
  readonly description?: string;
  readonly enum?: ReadonlyArray<unknown>;
  readonly examples?: ReadonlyArray<unknown>;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: ReadonlyArray<Schema>;
}

/** Descriptions of the members of RFC 9457, which the library omits. */
const RFC_9457: Readonly<Record<string, Schema>> = {
  type: { description: "URN of the problem: `urn:postern:problem:` and the code." },
  title: { description: "What is wrong, in one line; the same for every problem with this code." },
  status: { description: "HTTP status of the answer." },
};

const isProblem = (name: string, { properties }: Schema): boolean =>
  properties?.["type"]?.enum?.[0] === `urn:postern:problem:${name}`;

/** Adds descriptions of the standard members and an example to the schema of a problem. */
const describeProblem = (schema: Schema, schemas: Schemas): Schema => {
  // Postern never sends `instance`, because `requestId` identifies the request.
  const { instance: _, ...properties } = schema.properties! as Record<string, Schema>;
  for (const [name, words] of Object.entries(RFC_9457)) properties[name] = { ...properties[name], ...words };
  const required = [...schema.required!, "title", "status"];
  return { ...schema, properties, required, examples: [exampleOf({ ...schema, properties, required }, schemas)] };
};

/** Returns an example of a schema, built from the examples of its parts. */
const exampleOf = (schema: Schema, schemas: Schemas): unknown => {
  const { enum: choices, examples, items, properties, required = [] } = resolved(schema, schemas);
  if (choices !== undefined) return choices[0];
  if (items !== undefined) return examples?.[0] ?? [exampleOf(items, schemas)];
  if (properties === undefined || examples !== undefined) return examples?.[0];
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name]!, schemas)]));
};

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** Returns the schema that a reference names, or the schema itself. */
export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : schemas[nameOf(schema.$ref)]!;

/** Describes the schemas of problems; returns other schemas unchanged. */
export const describeProblems = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      isProblem(name, schema) ? describeProblem(schema, schemas) : schema,
    ]),
  );

/** Returns the description of an error answer: a paragraph for each possible problem, with its code and title. */
export const describeAnswer = (schema: Schema, schemas: Schemas): string =>
  (schema.anyOf ?? [schema])
    .map(({ $ref = "" }) => nameOf($ref))
    .map((code) => `\`${code}\`: ${String(schemas[code]?.properties?.["title"]?.enum?.[0])}.`)
    .join("\n\n");
