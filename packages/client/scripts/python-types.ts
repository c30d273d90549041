import type { EventSchemas } from "./contract-source.ts";
import { type Document, nameOf, type Schema } from "./document.ts";

const HEAD = `# Written by \`npm run openapi\` from the contract; change that instead.
"""Records of the API. A key that is \`NotRequired\` may be missing."""

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** In the contract, this record has no types of events. In Python, it is a union of the records of all types. */
const CHANGE_EVENT = "ChangeEvent";

const comment = (text: string | undefined, indent: string, mark: string): string =>
  text === undefined ? "" : `${indent}${mark} ${text.replaceAll(/\s+/g, " ")}\n`;

/** Writes the types of a contract as a Python module. */
export interface PythonTypes {
  /** Returns a type as text. Adds records that have no name, and names each after the place where it is used. */
  readonly typeOf: (schema: Schema, place: string) => string;
  /** Returns the module with all records so far. */
  readonly module: () => string;
}

const pascalCase = (text: string): string =>
  text
    .split(/[._]/)
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join("");

const isProblem = (name: string): boolean => /^[a-z]/.test(name);

/** Returns a writer of the records and events of a contract, and of the codes of its problems. */
export const pythonTypes = ({ components: { schemas } }: Document, events: EventSchemas): PythonTypes => {
  const records: Array<string> = [];

  /** Returns a type as text, and names a record that has no name after the place where it is used. */
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
        return `Dict[str, ${typeof schema.additionalProperties === "object" ? typeOf(schema.additionalProperties, place) : "Any"}]`;
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

  for (const [name, schema] of Object.entries(schemas)) {
    if (isProblem(name) || name === CHANGE_EVENT) continue;
    if (schema.properties === undefined)
      records.push(`${comment(schema.description, "", "#:")}${name} = ${typeOf(schema, name)}\n`);
    else write(name, schema);
  }

  const codes = Object.keys(schemas).filter(isProblem).toSorted();
  records.push(
    "#: Codes of problems; `offline` is no answer at all, and `unknown` an answer that is not the service's.\n" +
      `ProblemCode = Literal[\n${[...codes, "offline", "unknown"].map((code) => `    "${code}",\n`).join("")}]\n`,
  );

  const ACCOUNT: Schema = {
    type: "object",
    description: "The account that an event is about.",
    properties: { id: { type: "string" }, email: { type: "string" } },
    required: ["id", "email"],
  };
  const account = write("EventAccount", ACCOUNT);
  const kinds = Object.entries(events).map(([event, { meaning, data }]) => {
    const name = pascalCase(event);
    const properties = {
      id: { type: "string" },
      event: { type: "string", enum: [event] },
      timestamp: { type: "string", description: "ISO 8601 UTC." },
      account: { $ref: account },
      data: { $ref: write(`${name}Data`, data) },
    };
    const required = Object.keys(properties);
    write(name, { type: "object", description: meaning, properties, required });
    write(`${name}Webhook`, {
      type: "object",
      description: `${meaning} As an endpoint gets it: \`account\` is None only in \`webhook.disabled\` of an application's endpoint, and \`test\` marks a sample.`,
      properties: {
        ...properties,
        ...(event === "webhook.disabled" && { account: { anyOf: [{ $ref: account }, { type: "null" }] } }),
        test: { type: "boolean" },
      },
      required,
    });
    return name;
  });
  const union = (name: string, meaning: string, of: ReadonlyArray<string>) =>
    records.push(`#: ${meaning}\n${name} = Union[\n${of.map((one) => `    ${one},\n`).join("")}]\n`);
  union(
    "MailEvent",
    "An event as streams deliver it: `event` tells which `data` it has. The same `id` may come more than once.",
    kinds,
  );
  union(
    "WebhookEvent",
    "An event as an endpoint gets it: `event` tells which `data` it has.",
    kinds.map((kind) => `${kind}Webhook`),
  );
  union(
    CHANGE_EVENT,
    "An event of the feed: `event` tells which `data` it has.",
    kinds.map((kind) => (kind === "WebhookDisabled" ? "WebhookDisabledWebhook" : kind)),
  );
  return { typeOf, module: () => [HEAD, ...records].join("\n") };
};
