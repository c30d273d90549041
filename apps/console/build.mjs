// Builds apps/console into its ignored folder, with compressed copies beside the files (root `prepare`). Needs no
// development dependencies, so that production installs have a console too.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const root = import.meta.dirname;
const COMPRESSED = /\.(js|css|html|svg|webmanifest)$/;
/** Below this size, compression saves less than its header costs. */
const LEAST_BYTES = 512;

await build({ root, logLevel: "warn" });

const dist = join(root, "dist");

/** The files that the service worker keeps: the pages, and all that the build wrote. */
const assets = (await readdir(join(dist, "assets"))).map((name) => `assets/${name}`);
const kept = ["", "message", "message-with-images", "theme.js", "favicon.svg", "app.webmanifest", ...assets.toSorted()];
const worker = join(dist, "worker.js");
const source = await readFile(worker, "utf8");
await writeFile(worker, source.replace("const FILES = [];", `const FILES = ${JSON.stringify(kept)};`));

for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const name = join(entry.parentPath, entry.name);
  if (!entry.isFile() || !COMPRESSED.test(name)) continue;
  const plain = await readFile(name);
  if (plain.length < LEAST_BYTES) continue;
  await writeFile(`${name}.gz`, gzipSync(plain, { level: 9 }));
  await writeFile(`${name}.br`, brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}
