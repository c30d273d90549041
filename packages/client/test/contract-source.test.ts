import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { callsOf } from "../scripts/calls.ts";
import { contractSource, embeddedSource, tableSource } from "../scripts/contract-source.ts";
import { eventSchemas } from "../scripts/event-schemas.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("the types and the table of operations are those of the contract (npm run openapi rewrites them)", () => {
  const contract = JSON.parse(read("../../api/openapi.json")) as Parameters<typeof callsOf>[0];
  const calls = callsOf(contract);
  expect(read("../src/contract/contract.d.ts")).toBe(contractSource(contract, calls, eventSchemas()));
  expect(read("../src/contract/operation-table.ts")).toBe(tableSource(calls));
  const embedded = read("../../../apps/server/src/embedded/operations.d.ts");
  expect(embedded).toBe(embeddedSource(contract, calls));
});
