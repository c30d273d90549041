import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";

it("the worker that a host bundles as an entry of its own begins to take messages", async () => {
  const folder = mkdtempSync(join(tmpdir(), "worker-"));
  const file = join(folder, "worker.js");
  const build = await rolldown({
    input: join(import.meta.dirname, "../src/worker.ts"),
    platform: "node",
    resolve: { conditionNames: ["@postern/source", "node", "default"] },
  });
  await build.write({ file, format: "esm" });
  await build.close();
  const worker = new Worker(file);
  try {
    // A bundler leaves out a module without callers, unless its package names the module under `sideEffects`.
    expect(await Promise.race([once(worker, "message"), once(worker, "exit")])).toEqual(["ready"]);
  } finally {
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
});
