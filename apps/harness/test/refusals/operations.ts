import { openApiDocument } from "@postern/api";

/** A JSON Schema as the document of the API has it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: ReadonlyArray<unknown>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: ReadonlyArray<JsonSchema>;
  readonly allOf?: ReadonlyArray<JsonSchema>;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly examples?: ReadonlyArray<unknown>;
}

/** A field of a request: where it is, and what its schema says. */
export interface Field {
  readonly place: "path" | "query" | "header" | "body";
  readonly path: ReadonlyArray<string | number>;
  readonly schema: JsonSchema;
}

/** An operation of the API with its fields, and a body that is valid. */
export interface Operation {
  /** Such as `POST /api/send`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly fields: ReadonlyArray<Field>;
  readonly body: unknown;
}

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Described {
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly schema: JsonSchema;
  }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

const document = JSON.parse(openApiDocument()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

/** Returns a schema with what it refers to, and what all its parts say. */
const whole = (schema: JsonSchema): JsonSchema => {
  const { $ref, allOf = [], ...rest } = schema;
  const named = $ref === undefined ? {} : whole(document.components.schemas[$ref.split("/").at(-1)!]!);
  return Object.assign({}, named, ...allOf.map(whole), rest) as JsonSchema;
};

/** Returns a value and those within it: of an array its first entry, of a record none. */
const fieldsIn = (place: Field["place"], path: Field["path"], given: JsonSchema): ReadonlyArray<Field> => {
  const schema = whole(given);
  const within = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => fieldsIn(place, [...path, name], one)),
    ...(schema.items === undefined ? [] : fieldsIn(place, [...path, 0], schema.items)),
  ];
  const variants = (schema.anyOf ?? []).flatMap((one) => fieldsIn(place, path, one));
  return schema.anyOf === undefined ? [{ place, path, schema }, ...within] : variants;
};

/** Every operation of the document that takes input, by its name. */
export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
    const body = requestBody?.content["application/json"];
    const fields = [
      // The account of every operation is found before its input is read.
      ...parameters
        .filter(({ name }) => name !== "postern-account")
        .flatMap(({ name, in: place, schema }) => fieldsIn(place, [name], schema)),
      ...(body === undefined ? [] : fieldsIn("body", [], body.schema)),
    ];
    const name = `${method.toUpperCase()} ${path}`;
    return fields.length === 0 && requestBody === undefined
      ? []
      : [{ name, method: method.toUpperCase(), path, fields, body: body?.example ?? {} }];
  }),
);
