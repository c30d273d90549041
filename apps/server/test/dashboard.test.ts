import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dashboard } from "@grafana/schema";
import { expect, it } from "vitest";

const text = readFileSync("apps/server/deploy/grafana.json", "utf8");

it("the dashboard is one by Grafana's schema", () => {
  // Where Grafana's types are found.
  mkdirSync("apps/server/node_modules/.cache", { recursive: true });
  const folder = mkdtempSync("apps/server/node_modules/.cache/dashboard-");
  const check = (dashboard: string) => {
    const file = join(folder, "dashboard.ts");
    writeFileSync(
      file,
      `import type { Dashboard } from "@grafana/schema";\nexport const it: Dashboard = ${dashboard};\n`,
    );
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--ignoreConfig",
      "--module",
      "nodenext",
      "--types",
      "",
      file,
    ];
    return spawnSync("node_modules/.bin/tsc", options, { encoding: "utf8" });
  };
  try {
    const { status, stdout } = check(text);
    expect([status, stdout]).toEqual([0, ""]);
    expect(check(text.replace('"gridPos"', '"gridPlace"')).stdout).toContain("gridPlace");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("the dashboard places its panels side by side, each with its own id", () => {
  const { panels = [] } = JSON.parse(text) as Dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } = { x: 0, y: 0, w: 0, h: 0 } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});
