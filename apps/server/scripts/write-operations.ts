import { readFileSync, writeFileSync } from "node:fs";
import { operationsPage } from "./operations-page.ts";
import { operationsSource } from "./operations-source.ts";

const inServer = (path: string) => new URL(`../${path}`, import.meta.url);

const contract = JSON.parse(readFileSync(inServer("../../packages/api/openapi.json"), "utf8"));
const { types, table } = operationsSource(contract);
writeFileSync(inServer("src/embedded/operations.d.ts"), types);
writeFileSync(inServer("src/embedded/operation-table.ts"), table);

const { OPERATIONS } = await import("../src/embedded/operation-table.ts");
writeFileSync(inServer("../../docs/reference/operations.md"), operationsPage(contract, OPERATIONS));
