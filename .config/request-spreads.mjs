// Refuses `{ a, ...rest }: SomeRequest`: whatever else a request holds would go along to a port, which knows nothing of it.
import { guard } from "./guard.mjs";

const REST = /\{[^{}]*\.\.\.\s*\w+\s*,?\s*\}\s*:\s*(?:Partial<)?\w*(?:Request|Wishes|Query|Criteria)\b/g;

guard(["packages/core/src/**/*.ts", "adapters/*/src/**/*.ts"], (text) =>
  [...text.matchAll(REST)].map(([found]) => found.replaceAll(/\s+/g, " ")),
);
