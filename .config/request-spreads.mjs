// Refuses `{ a, ...rest }: SomeRequest`: whatever else a request holds would go along to a port, which knows nothing of it.
import { globSync, readFileSync } from "node:fs";

const REST = /\{[^{}]*\.\.\.\s*\w+\s*,?\s*\}\s*:\s*(?:Partial<)?\w*(?:Request|Wishes|Query|Criteria)\b/g;

const files = ["packages/core/src/**/*.ts", "adapters/*/src/**/*.ts"].flatMap((pattern) => globSync(pattern));
const found = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(REST)].map(([text]) => `${file}: ${text.replaceAll(/\s+/g, " ")}`),
);
for (const line of found) console.log(line);
console.log(`looked at ${files.length} files`);
process.exit(found.length > 0 ? 1 : 0);
