import { nameOf, type Schema } from "./document.ts";

/** Returns a docstring of these texts; empty if all are undefined. */
export const doc = (...lines: ReadonlyArray<string | undefined>): string => {
  const text = lines.filter((line) => line !== undefined).join(" ");
  return text === "" ? "" : `/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n`;
};

/** Returns the type of a schema as TypeScript writes it. */
export const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.enum?.join() === "true,false") return "boolean";
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(" | ");
  switch (schema.type) {
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {})}>`;
    case "object":
      if (schema.properties !== undefined) return objectOf(schema.properties, schema.required);
      return typeof schema.additionalProperties === "object"
        ? `Readonly<Record<string, ${typeOf(schema.additionalProperties)}>>`
        : "object";
    case "integer":
      return "number";
    case undefined:
      return "unknown";
    default:
      return schema.type;
  }
};

/** Returns the type of an object with these members. */
export const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  required: ReadonlyArray<string> = [],
  unset = "",
): string =>
  `{\n${Object.entries(properties)
    .map(([name, schema]) => {
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      const type = `${typeOf(schema)}${required.includes(name) ? "" : unset}`;
      return `${doc(schema.description)}readonly ${key}${required.includes(name) ? "" : "?"}: ${type};`;
    })
    .join("\n")}\n}`;
