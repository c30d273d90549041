import * as Api from "@postern/api";
import { openApiDocument, PosternApi } from "@postern/api";
import { Context, Schema } from "effect";
import { HttpApi, type HttpApiEndpoint } from "effect/http-api";
import { describe, expect, it } from "vitest";
import { OperationExample } from "../src/document/documented.ts";

type Json = { readonly [key: string]: any };

const document: Json = JSON.parse(openApiDocument());
const operations = Object.entries<Json>(document["paths"]).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
) as ReadonlyArray<Json & { readonly name: string }>;

const endpoints: Array<{ readonly name: string; readonly endpoint: HttpApiEndpoint.Top }> = [];
HttpApi.reflect(PosternApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => endpoints.push({ name: `${endpoint.method} ${endpoint.path}`, endpoint }),
});

const IMPERATIVE =
  /^(Add|Approve|Cancel|Change|Check|Connect|Create|Delete|Deny|Disable|Discover|Download|Enable|End|Erase|Exchange|Hold|List|Read|Release|Rename|Replay|Resend|Resume|Rotate|Search|Send|Show|Sign|Start|Stream|Suspend|Upload|Verify|Wait) /;

const resolve = (schema: Json): Json =>
  "$ref" in schema ? document["components"].schemas[schema["$ref"].split("/").at(-1)] : schema;

/** Returns the paths of the properties without a description in a part of the document. */
const undescribed = (part: unknown, path: string): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === "example" || key === "examples") return [];
    const here = `${path}.${key}`;
    if (key !== "properties") return undescribed(value, here);
    return Object.entries<Json>(value).flatMap(([name, schema]) => [
      ...((schema["description"] ?? resolve(schema)["description"]) ? [] : [`${here}.${name}`]),
      ...undescribed(schema, `${here}.${name}`),
    ]);
  });
};

describe("every operation", () => {
  it.each(operations)("$name has a summary in the imperative and a description", ({ summary, description }) => {
    expect(summary).toMatch(IMPERATIVE);
    expect(summary).not.toMatch(/\.$/);
    expect(description).toMatch(/^[A-Z][^]{40,}\.$/);
  });

  it.each(operations)("$name describes its parameters", ({ parameters }) =>
    expect(parameters.filter(({ schema }: Json) => !schema.description)).toEqual([]),
  );

  it.each(operations)("$name shows an example of its request and of its answer", ({ requestBody, responses }) => {
    const [, answer] = Object.entries<Json>(responses).find(([status]) => status.startsWith("2"))!;
    for (const body of requestBody === undefined ? [answer] : [requestBody, answer])
      for (const media of Object.values<Json>(body.content)) expect(media).toHaveProperty("example");
  });

  it.each(operations)("$name names the codes of its failures", ({ responses }) => {
    for (const [status, { description }] of Object.entries<Json>(responses))
      if (status >= "400") expect(description).toMatch(/^`[a-z_]+`: [A-Z]/);
  });
});

describe("a 400", () => {
  const fieldsIn = (schema: Json): ReadonlyArray<string> =>
    Object.entries<Json>(resolve(schema)["properties"] ?? {}).flatMap(([name, inner]) => [
      name,
      ...fieldsIn(inner).map((field) => `${name}.${field}`),
    ]);
  /** Messages about a fault that concerns no field of the operation. */
  const WITHOUT_FIELD = ["is not a parameter of this request", "The Host header is missing"];

  it.each(operations)("of $name shows each of its problems, with a field that the operation has", (operation) => {
    const { schema, examples } = operation["responses"]["400"].content["application/problem+json"];
    const codes = (schema.anyOf ?? [schema]).map(({ $ref }: Json) => $ref.split("/").at(-1));
    expect(Object.keys(examples)).toEqual(codes);
    const bodies = Object.values<Json>(operation["requestBody"]?.content ?? {});
    const known = [
      ...operation["parameters"].map(({ name }: Json) => name),
      ...bodies.flatMap(({ schema: body }) => fieldsIn(body)),
    ];
    for (const [code, { value }] of Object.entries<Json>(examples)) {
      const { field, message } = value.errors[0];
      expect(value.code).toBe(code);
      expect(known.includes(field)).toBe(!WITHOUT_FIELD.includes(message));
    }
  });
});

describe("an example", () => {
  const decode = (schema: Schema.Top, example: unknown) =>
    Schema.decodeUnknownSync(schema as unknown as Schema.Codec<unknown>)(example, { onExcessProperty: "error" });

  it.each(endpoints)("of $name fits the schemas of its request and its answer", ({ endpoint }) => {
    const { request, answer } = Context.get(endpoint.annotations, OperationExample);
    const json = endpoint.payload.get("application/json");
    if (json !== undefined) decode(Schema.Union(json.schemas), request);
    const [success] = endpoint.success;
    // The example of a download is a text, not JSON.
    if (typeof answer !== "string") decode("events" in success! ? (success.events as Schema.Top) : success!, answer);
  });

  const problems = Object.entries<Json>(document["components"].schemas).filter(([, schema]) => "examples" in schema);

  it.each(problems)("of the problem %s fits its schema", (code, { examples }) => {
    const schemas = Object.values<unknown>(Api).filter(Schema.isSchema);
    const problem = schemas.find((one) => "identifier" in one && one.identifier === code);
    decode(problem!, examples[0]);
    expect(examples[0]).toMatchObject({ code, requestId: expect.any(String), title: expect.any(String) });
  });

  it("exists for every problem", () => expect(problems.length).toBeGreaterThan(40));
});

describe("every schema", () => {
  it("describes its properties", () =>
    expect([...undescribed(document["components"], ""), ...undescribed(document["paths"], "")]).toEqual([]));

  it("of a problem has a title without a full stop", () => {
    for (const { properties } of Object.values<Json>(document["components"].schemas)) {
      const title = properties?.title?.enum?.[0];
      if (title !== undefined) expect(title).toMatch(/^[A-Z].*[^.!]$/);
    }
  });
});

describe("security", () => {
  it("is a bearer token or the session cookie", () => {
    expect(Object.keys(document["components"].securitySchemes)).toEqual(["bearer", "cookie"]);
    expect(document["components"].securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  });
});
