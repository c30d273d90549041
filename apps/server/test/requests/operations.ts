/** The parts of JSON Schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: ReadonlyArray<unknown>;
  readonly anyOf?: ReadonlyArray<JsonSchema>;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: boolean | JsonSchema;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: JsonSchema;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  /** Such as `GET /api/messages/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly media: "application/json" | "multipart/form-data" | undefined;
  readonly body: JsonSchema;
  /** Whether it needs the admin key. */
  readonly isOfAdmin: boolean;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface RawOperation {
  readonly parameters?: ReadonlyArray<Parameter>;
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

/** Returns the operations of a document, with references in schemas resolved. */
export const operationsOf = ({ paths, components }: Document): ReadonlyArray<Operation> => {
  const followed = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined
      ? (JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
          typeof value === "object" && value !== null && "$ref" in value ? followed(value as JsonSchema) : value,
        ) as JsonSchema)
      : followed(components.schemas[schema.$ref.split("/").at(-1)!]!);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, security = [] }]) => {
      const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters,
        media: media as Operation["media"],
        body: content === undefined ? {} : followed(content.schema),
        isOfAdmin: security.length > 0 && !security.some((way) => "cookie" in way),
      };
    }),
  );
};
