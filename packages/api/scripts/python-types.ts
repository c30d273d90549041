/** The part of a JSON Schema that is looked at. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: ReadonlyArray<string | boolean>;
  readonly anyOf?: ReadonlyArray<Schema>;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: Schema | false;
  readonly description?: string;
}
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const HEAD = `# Written by \`npm run openapi\` from the contract; change that instead.
"""Records of the API. A key that is \`NotRequired\` may be missing."""

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

const nameOf = (ref: string): string => ref.split("/").at(-1)!;

const comment = (text: string | undefined, indent: string, mark: string): string =>
  text === undefined ? "" : `${indent}${mark} ${text.replaceAll(/\s+/g, " ")}\n`;

/** Returns a Python module with the records of an OpenAPI document; problems, which are errors there, are left out. */
export const pythonTypes = ({ components: { schemas } }: Document): string => {
  const records: Array<string> = [];

  /** Returns a type as text; records without a name of their own are named after where they are. */
  const typeOf = (schema: Schema, place: string): string => {
    if (schema.$ref !== undefined) return nameOf(schema.$ref);
    if (schema.enum !== undefined && schema.type === "string")
      return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(", ")}]`;
    if (schema.anyOf !== undefined)
      return `Union[${[...new Set(schema.anyOf.map((each) => typeOf(each, place)))].join(", ")}]`;
    switch (schema.type) {
      case "string":
        return "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `List[${typeOf(schema.items ?? {}, place)}]`;
      case "object":
        if (schema.properties !== undefined) return write(place, schema);
        return `Dict[str, ${schema.additionalProperties ? typeOf(schema.additionalProperties, place) : "Any"}]`;
      default:
        return "Any";
    }
  };

  const write = (name: string, { properties = {}, required = [], description }: Schema): string => {
    const keys = Object.entries(properties).map(([key, schema]) => {
      const type = typeOf(schema, `${name}${key[0]!.toUpperCase()}${key.slice(1)}`);
      const written = required.includes(key) ? type : `NotRequired[${type}]`;
      return `${comment(schema.description, "        ", "#")}        "${key}": ${JSON.stringify(written).replaceAll('\\"', "'")},\n`;
    });
    records.push(
      `${comment(description, "", "#:")}${name} = TypedDict(\n    "${name}",\n    {\n${keys.join("")}    },\n)\n`,
    );
    return name;
  };

  for (const [name, schema] of Object.entries(schemas))
    if (/^[A-Z]/.test(name) && schema.properties) write(name, schema);
  return [HEAD, ...records].join("\n");
};
