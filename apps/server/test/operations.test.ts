import { readFileSync } from "node:fs";
import { OPERATIONS } from "@postern/client/operations";
import { expect, it } from "vitest";
import { operationsPage } from "../scripts/operations-page.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const contract = JSON.parse(read("../../../packages/api/openapi.json")) as Parameters<typeof operationsPage>[0];

it("the page about operations lists them (npm run openapi rewrites it)", () => {
  expect(read("../../../docs/reference/operations.md")).toBe(operationsPage(contract, OPERATIONS));
});

it("there is a direct call for every operation of an account", () => {
  // Operations of an account are those that a browser's session may use. Operations on accounts and keys accept only
  // keys.
  const ofAccounts = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security.some((scheme) => "cookie" in scheme) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
  const called = OPERATIONS.filter(({ of }) => of !== "service").map(({ asks }) => asks);
  // Operations on the session of the request, and the stream, which `events` reads.
  const others = ["POST /api/auth/logout", "GET /api/auth/session", "GET /api/events"];
  expect([...called, ...others].toSorted()).toEqual(ofAccounts.toSorted());
});
