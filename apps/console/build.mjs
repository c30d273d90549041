// Builds apps/console into its ignored folder, with compressed forms beside the files (root `prepare`). Where the
// development dependencies were left out, there is nothing to build with: the service runs without, and says so at `/`.
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = import.meta.dirname;
const COMPRESSED = /\.(js|css|html|svg)$/;
/** Smaller than this, a header costs as much as is won. */
const LEAST_BYTES = 512;

if (!existsSync(join(root, "node_modules/vite"))) {
  console.log("The console is not built: its development dependencies are not installed.");
  process.exit(0);
}

const { build } = await import("vite");
await build({ root, logLevel: "warn" });

const dist = join(root, "dist");
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const name = join(entry.parentPath, entry.name);
  if (!entry.isFile() || !COMPRESSED.test(name)) continue;
  const plain = await readFile(name);
  if (plain.length < LEAST_BYTES) continue;
  await writeFile(`${name}.gz`, gzipSync(plain, { level: 9 }));
  await writeFile(`${name}.br`, brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}
