import { globSync, readFileSync } from "node:fs";
import { assert, it } from "@effect/vitest";

it("the alert rules use only metrics that the service defines", () => {
  const sources = globSync("{packages,adapters,apps}/*/src/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const defined = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/\b(?:gauge|counter|histogram)\(\s*"([a-z_]+)"/g)].map(([, name]) => name),
    ),
  );
  const rules = readFileSync("apps/server/deploy/alerts.yaml", "utf8");
  const asked = [...rules.matchAll(/postern_([a-z_]+?)(?:_count|_sum|_bucket)?\b/g)].map(([, name]) => name);
  assert.isAbove(asked.length, 8);
  assert.deepEqual(
    asked.filter((name) => !defined.has(name)),
    [],
  );
});
