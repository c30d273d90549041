import { readFileSync, writeFileSync } from "node:fs";
import { callsOf } from "./calls.ts";
import { contractSource, embeddedSource, tableSource } from "./contract-source.ts";
import { eventSchemas } from "./event-schemas.ts";
import { pythonSource } from "./python-source.ts";

const at = (path: string) => new URL(`../${path}`, import.meta.url);

const contract = JSON.parse(readFileSync(at("../api/openapi.json"), "utf8"));
const calls = callsOf(contract);
const events = eventSchemas();
writeFileSync(at("src/contract/contract.d.ts"), contractSource(contract, calls, events));
writeFileSync(at("src/contract/operation-table.ts"), tableSource(calls));
writeFileSync(at("../../apps/server/src/embedded/operations.d.ts"), embeddedSource(contract, calls));

const { types, operations } = pythonSource(contract, calls, events);
writeFileSync(at("../client-python/src/postern/types.py"), types);
writeFileSync(at("../client-python/src/postern/operations.py"), operations);
