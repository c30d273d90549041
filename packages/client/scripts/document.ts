/** The part of a JSON Schema that the scripts read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: ReadonlyArray<unknown>;
  readonly anyOf?: ReadonlyArray<Schema>;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** Bodies by their media type. */
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** An operation as OpenAPI describes it. */
export interface Documented {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: ReadonlyArray<object>;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly requestBody?: { readonly content: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The part of an OpenAPI 3.1 document that the scripts read. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns the last part of a reference to a schema. */
export const nameOf = (ref: string): string => ref.split("/").at(-1)!;
