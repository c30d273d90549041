import { writeFileSync } from "node:fs";
import { openApiDocument } from "@postern/api";
import { pythonTypes } from "./python-types.ts";

const inPackages = (path: string) => new URL(`../../${path}`, import.meta.url);

const text = openApiDocument();
writeFileSync(inPackages("api/openapi.json"), text);
writeFileSync(inPackages("client-python/src/postern/types.py"), pythonTypes(JSON.parse(text)));
