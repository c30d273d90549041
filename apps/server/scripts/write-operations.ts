import { readFileSync, writeFileSync } from "node:fs";
import { OPERATIONS } from "@postern/client/operations";
import { operationsPage } from "./operations-page.ts";

const inServer = (path: string) => new URL(`../${path}`, import.meta.url);

const contract = JSON.parse(readFileSync(inServer("../../packages/api/openapi.json"), "utf8"));
writeFileSync(inServer("../../docs/reference/operations.md"), operationsPage(contract, OPERATIONS));
