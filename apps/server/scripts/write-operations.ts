import { readFileSync, writeFileSync } from "node:fs";
import { operationsSource } from "./operations-source.ts";

const contract = readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8");
const { types, table } = operationsSource(JSON.parse(contract));
writeFileSync(new URL("../src/embedded/operations.d.ts", import.meta.url), types);
writeFileSync(new URL("../src/embedded/operation-table.ts", import.meta.url), table);
