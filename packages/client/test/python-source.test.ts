import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { callsOf } from "../scripts/calls.ts";
import { eventSchemas } from "../scripts/event-schemas.ts";
import { pythonSource } from "../scripts/python-source.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("the records and operations of the Python client are those of the contract (npm run openapi rewrites them)", () => {
  const contract = JSON.parse(read("../../api/openapi.json")) as Parameters<typeof callsOf>[0];
  const { types, operations } = pythonSource(contract, callsOf(contract), eventSchemas());
  expect(read("../../client-python/src/postern/types.py")).toBe(types);
  expect(read("../../client-python/src/postern/operations.py")).toBe(operations);
});
