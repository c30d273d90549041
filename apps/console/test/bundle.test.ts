import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");
const FIRST_LOAD_BYTES = 200 * 1024;

interface Chunk {
  readonly file: string;
  readonly imports?: ReadonlyArray<string>;
}

test("the first load is at most 200 KiB of compressed script", () => {
  expect(existsSync(DIST), "the console is not built: npm run prepare").toBe(true);
  const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  const reached = new Set<string>();
  const reach = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    manifest[name]!.imports?.forEach(reach);
  };
  reach("index.html");
  const sizes = [...reached].map((name) => gzipSync(readFileSync(join(DIST, manifest[name]!.file))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
});

test("the pages contain no inline script or style and load nothing from other origins", () => {
  for (const page of ["index.html", "message.html"]) {
    const html = readFileSync(join(DIST, page), "utf8");
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(html).not.toMatch(/<style|\bstyle=|\bon\w+=|(src|href)="(https?:)?\/\//);
  }
});
