import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");
const FIRST_LOAD_BYTES = 180_000;
const SIGN_IN_BYTES = 5_000;

interface Chunk {
  readonly file: string;
  readonly imports?: ReadonlyArray<string>;
  readonly css?: ReadonlyArray<string>;
}

test("the first load is at most 180 KB of compressed page, style and script, without the editor", () => {
  expect(existsSync(DIST), "the console is not built: npm run prepare").toBe(true);
  const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  const reached = new Set<string>();
  const reach = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    manifest[name]!.imports?.forEach(reach);
  };
  reach("index.html");
  expect([...reached].filter((name) => /compose\/ComposePage/.test(name))).toEqual([]);
  expect(Object.keys(manifest)).toContain("src/compose/ComposePage.tsx");
  const files = [...reached].flatMap((name) => [manifest[name]!.file, ...(manifest[name]!.css ?? [])]);
  const sizes = ["index.html", ...new Set(files)].map((file) => gzipSync(readFileSync(join(DIST, file))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  const signIn = gzipSync(readFileSync(join(DIST, manifest["src/session/SignIn.tsx"]!.file)));
  expect(signIn.length, "the page that a browser without a session needs too").toBeLessThanOrEqual(SIGN_IN_BYTES);
});

test("the pages contain no inline script or style and load nothing from other origins", () => {
  for (const page of ["index.html", "message.html"]) {
    const html = readFileSync(join(DIST, page), "utf8");
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(html).not.toMatch(/<style|\bstyle=|\bon\w+=|(src|href)="(https?:)?\/\//);
  }
});
