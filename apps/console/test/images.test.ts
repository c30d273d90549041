import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const MAX_BYTES = 150_000;

const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");

test("every picture of the console is small, written by a test and shown by a guide", () => {
  const images = globSync("docs/images/*.png", { cwd: ROOT });
  const written = [...textOf("apps/console/test/*.test.ts").matchAll(/mage\((?:page, )?"([\w-]+\.png)"/g)];
  expect(new Set(images.map((file) => basename(file)))).toEqual(new Set(written.map(([, name]) => name)));
  const guides = textOf("docs/guides/*.md");
  for (const file of images) {
    expect(statSync(join(ROOT, file)).size, file).toBeLessThanOrEqual(MAX_BYTES);
    expect(guides).toContain(`](../images/${basename(file)})`);
  }
});
