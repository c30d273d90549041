/** The part of an OpenAPI 3.1 document that is looked at. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: ReadonlyArray<unknown>;
  readonly anyOf?: ReadonlyArray<Schema>;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: Schema | false;
  readonly description?: string;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: ReadonlyArray<object>;
  readonly parameters: ReadonlyArray<{
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly schema: Schema;
  }>;
  readonly requestBody?: { readonly content: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Operations about the session of the request itself, which a direct call has not, and the stream, which is no answer. */
const LEFT_OUT = new Set(["auth.logout", "auth.session", "events.stream"]);

/** A direct call names its account as an argument. */
const isArgument = ({ name }: { readonly name: string }): boolean => name !== "postern-account";

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const doc = (...lines: ReadonlyArray<string | undefined>): string => {
  const text = lines.filter((line) => line !== undefined).join(" ");
  return text === "" ? "" : `/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n`;
};

const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1)!;
  if (schema.enum?.join() === "true,false") return "boolean";
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ");
  switch (schema.type) {
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {})}>`;
    case "object":
      if (schema.properties !== undefined) return objectOf(schema.properties, schema.required);
      return schema.additionalProperties
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

const objectOf = (properties: Readonly<Record<string, Schema>>, required: ReadonlyArray<string> = []): string =>
  `{\n${Object.entries(properties)
    .map(([name, schema]) => {
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      return `${doc(schema.description)}readonly ${key}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};`;
    })
    .join("\n")}\n}`;

const WRITTEN = "// Written by `npm run openapi` from the contract; change that instead.\n";

/** Returns two source files: the types of all operations, and a table that says where each one is. */
export const operationsSource = (document: Document): { readonly types: string; readonly table: string } => {
  const { schemas } = document.components;
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)!]!;

  /** The answer without what every answer has: its only member, where there is one. */
  const answerOf = ({ responses }: Operation) => {
    const content = Object.entries(responses).find(([status]) => status < "300")?.[1].content ?? {};
    const json = content["application/json"];
    if (json === undefined) return { type: "Uint8Array", answer: "bytes" };
    const { properties = {}, required = [] } = resolved(json.schema);
    const members = Object.entries(properties).filter(([name, { type }]) => name !== "ok" && type !== "null");
    const [only, ...others] = members;
    if (only === undefined) return { type: "void", answer: "nothing" };
    if (others.length === 0) return { type: typeOf(only[1]), answer: `member ${only[0]}` };
    return { type: objectOf(Object.fromEntries(members), required), answer: "members" };
  };

  const argumentsOf = ({ parameters: all, requestBody }: Operation): ReadonlyArray<string> => {
    const parameters = all.filter(isArgument);
    const within = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const record = (place: string) => {
      const given = within(place);
      const properties = Object.fromEntries(given.map(({ name, schema }) => [camelCase(name), schema]));
      const required = given.filter((parameter) => parameter.required).map(({ name }) => camelCase(name));
      return given.length === 0
        ? []
        : [
            `${place === "query" ? "query" : "headers"}${required.length === 0 ? "?" : ""}: ${objectOf(properties, required)}`,
          ];
    };
    const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const payload =
      body === undefined
        ? []
        : type === "multipart/form-data"
          ? ["file: File"]
          : [`payload${requestBody?.required === false ? "?" : ""}: ${typeOf(body.schema)}`];
    return [
      "address: string",
      ...within("path").map(({ name }) => `${name}: string`),
      ...payload,
      ...record("query"),
      ...record("header"),
    ];
  };

  const groups = new Map<
    string,
    Map<string, { readonly method: string; readonly path: string; readonly operation: Operation }>
  >();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [group, name] = operation.operationId.split(".") as [string, string];
      const isOfAccount = operation.security?.some((way) => "cookie" in way) === true;
      if (!isOfAccount || LEFT_OUT.has(operation.operationId)) continue;
      const all = groups.get(group) ?? new Map();
      groups.set(group, all.set(name, { method: method.toUpperCase(), path, operation }));
    }
  }

  const table: Array<string> = [];
  const members = [...groups].map(([group, all]) => {
    const own = all.has(group) ? group : "list";
    const calls = [...all].map(([name, { method, path, operation }]) => {
      const { type, answer } = answerOf(operation);
      const isOwn = name === own;
      const { parameters, requestBody } = operation;
      const body = Object.keys(requestBody?.content ?? {})[0];
      const takes = [
        ...(body === undefined ? [] : [body === "multipart/form-data" ? "file" : "payload"]),
        ...(["query", "header"] as const).filter((place) =>
          parameters.some((one) => one.in === place && isArgument(one)),
        ),
      ];
      table.push(
        JSON.stringify({ call: isOwn ? group : `${group}.${name}`, asks: `${method} ${path}`, takes, answer }),
      );
      return `${doc(`${operation.summary}.`, operation.description)}${isOwn ? "" : `readonly ${name}: `}(${argumentsOf(operation).join(", ")})${isOwn ? ":" : " =>"} Promise<${type}>;`;
    });
    return `readonly ${group}: {\n${calls.join("\n")}\n};`;
  });

  const body = `/**
 * The operations of the API for the account with an address. What a group lists or does by its own name is called on the
 * group itself.
 */
export interface Operations {
${members.join("\n")}
}
`;
  const named = new Set<string>();
  const name = (text: string): void => {
    for (const [, one] of text.matchAll(/\b([A-Z]\w+)\b/g)) {
      if (one !== undefined && one in schemas && !named.has(one)) {
        named.add(one);
        name(typeOf(schemas[one]!));
      }
    }
  };
  name(body.replaceAll(/\/\*\*.*?\*\//gs, ""));
  const types = [...named].sort().map((one) => {
    const schema = schemas[one]!;
    const type = typeOf(schema);
    return `${doc(schema.description)}${type.startsWith("{") ? `export interface ${one} ${type}` : `export type ${one} = ${type};`}\n`;
  });
  return {
    types: `/* oxlint-disable max-lines */\n${WRITTEN}\n${body}\n${types.join("\n")}`,
    table: `${WRITTEN}
/** An operation: where it is, what a call gives after the address and the path, and what of the answer it returns. */
export interface Operation {
  /** The group and the name; the group alone where it is called itself. */
  readonly call: string;
  /** The method and the path. */
  readonly asks: string;
  readonly takes: ReadonlyArray<string>;
  readonly answer: string;
}

export const OPERATIONS: ReadonlyArray<Operation> = [
${table.map((row) => `  ${row},`).join("\n")}
];
`,
  };
};
