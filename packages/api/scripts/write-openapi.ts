import { writeFileSync } from "node:fs";
import { openApiDocument } from "@postern/api";

writeFileSync(new URL("../openapi.json", import.meta.url), openApiDocument());
