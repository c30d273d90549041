import { readFileSync } from "node:fs";
import { openApiDocument } from "@postern/api";
import { describe, expect, it } from "vitest";

const document = JSON.parse(openApiDocument());

describe("the OpenAPI document", () => {
  it("equals docs/openapi.json (npm run openapi rewrites it)", () => {
    const kept = readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8");
    expect(kept).toBe(openApiDocument());
  });

  it("has version 3.1 and declares numbers as numbers", () => {
    expect(document.openapi).toMatch(/^3\.1/);
    const page = document.paths["/api/inbox"].get.parameters.find(({ name }: { name: string }) => name === "page");
    expect(page.schema).toMatchObject({ type: "integer", minimum: 1 });
  });

  it("declares the problems of every endpoint as application/problem+json", () => {
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

  it("marks optional bodies", () => {
    const optional = Object.entries<Record<string, { requestBody?: { required: boolean; content: object } }>>(
      document.paths,
    ).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ requestBody }) => (requestBody?.required === false ? [path] : [])),
    );
    expect(optional).toEqual([
      "/api/drafts",
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
