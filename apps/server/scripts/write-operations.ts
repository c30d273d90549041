import { readFileSync, writeFileSync } from "node:fs";
import { operationsSource } from "./operations-source.ts";

const contract = readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8");
writeFileSync(new URL("../src/embedded/operations.ts", import.meta.url), operationsSource(JSON.parse(contract)));
