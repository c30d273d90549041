import { readFileSync } from "node:fs";
import { openApiDocument } from "@postern/api";
import { EVENT_TYPES } from "@postern/core/rules";
import { describe, expect, it } from "vitest";

const document = JSON.parse(openApiDocument());

describe("the OpenAPI document", () => {
  it("equals openapi.json (npm run openapi rewrites it)", () => {
    const kept = readFileSync(new URL("../openapi.json", import.meta.url), "utf8");
    expect(kept).toBe(openApiDocument());
  });

  it("has version 3.1 and declares numbers as numbers", () => {
    expect(document.openapi).toMatch(/^3\.1/);
    const page = document.paths["/api/inbox"].get.parameters.find(({ name }: { name: string }) => name === "page");
    expect(page.schema).toMatchObject({ type: "integer", minimum: 1 });
  });

  it("declares the problems of every endpoint as application/problem+json [S2.3-1]", () => {
    for (const [path, methods] of Object.entries<Record<string, { responses: Record<string, { content: object }> }>>(
      document.paths,
    )) {
      for (const [method, { responses }] of Object.entries(methods)) {
        for (const [status, { content }] of Object.entries(responses)) {
          if (Number(status) >= 400)
            expect(Object.keys(content), `${method} ${path} ${status}`).toEqual(["application/problem+json"]);
        }
      }
    }
  });

  it("marks optional bodies [S2.1-4]", () => {
    const optional = Object.entries<Record<string, { requestBody?: { required: boolean; content: object } }>>(
      document.paths,
    ).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ requestBody }) => (requestBody?.required === false ? [path] : [])),
    );
    expect(optional).toEqual([
      "/api/drafts",
      "/api/approvals/{id}/deny",
      "/api/settings/webhooks/{id}/test",
      "/api/settings/webhooks/{id}/rotate-secret",
    ]);
    for (const path of optional) {
      const { schema } = document.paths[path].post.requestBody.content["application/json"];
      expect("$ref" in schema ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema).toMatchObject({
        type: "object",
      });
    }
  });

  it("answers successes with 200, replays and requests for approval with 202, and has ok in JSON [S2.1-1] [S2.1-2]", () => {
    const schemas = document.components.schemas;
    const resolve = (schema: { $ref?: string }) =>
      schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)!];
    for (const [path, methods] of Object.entries<Record<string, { responses: Record<string, any> }>>(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const [[status, { content }], ...others] = Object.entries(responses).filter(([code]) => code < "400") as [
          any,
          ...Array<any>,
        ];
        const expected = path.endsWith("/replay") ? "202" : "200";
        const asked = ["/api/send", "/api/drafts/{id}/send"].includes(path) ? ["202"] : [];
        expect([method, path, status, others.map(([code]) => code)]).toEqual([method, path, expected, asked]);
        const json = content["application/json"];
        if (json === undefined || path === "/.well-known/jwks.json") continue;
        const shapes = json.schema.anyOf ?? [json.schema];
        for (const shape of shapes)
          expect(resolve(shape).properties.ok, `${method} ${path}`).toMatchObject({ enum: [true] });
      }
    }
  });

  it("has every event type as a webhook, with a sample that its schema admits [S8.1-5]", () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(EVENT_TYPES));
    for (const [event, { post }] of Object.entries<any>(document.webhooks)) {
      const { schema, example } = post.requestBody.content["application/json"];
      const { data, account } = schema.properties;
      expect([event, example.event, Object.keys(example)]).toEqual([event, event, schema.required]);
      const of = (shape: any) => shape.anyOf?.[0] ?? shape;
      expect(Object.keys(data.properties), event).toEqual(expect.arrayContaining(Object.keys(example.data)));
      expect(Object.keys(example.data), event).toEqual(expect.arrayContaining(data.required));
      expect(Object.keys(of(account).properties)).toEqual(Object.keys(example.account));
      expect("anyOf" in account, event).toBe(event === "webhook.disabled");
    }
  });

  it("has no version in its paths, and a semantic version of its own [S2.5-1]", () => {
    expect(Object.keys(document.paths).filter((path) => /\/v\d/.test(path))).toEqual([]);
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it("requires a token for all operations but sign-in, health and keys", () => {
    const open = Object.entries<Record<string, { security?: ReadonlyArray<unknown> }>>(document.paths).flatMap(
      ([path, methods]) => (Object.values(methods).some(({ security }) => !security?.length) ? [path] : []),
    );
    expect(open.toSorted()).toEqual([
      "/.well-known/jwks.json",
      "/api/auth/login",
      "/api/auth/mobile-login",
      "/api/auth/providers",
      "/api/auth/refresh",
      "/health/live",
      "/health/ready",
    ]);
  });
});
