import { readFileSync, writeFileSync } from "node:fs";
import { pythonTypes } from "./python-types.ts";

const contract = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));
writeFileSync(new URL("../../client-python/src/postern/types.py", import.meta.url), pythonTypes(contract));
