import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { BUNDLE, isBundleKept, keepBundle } from "../kept-bundle.mjs";

/** Makes a bundle of one source and one dependency in a temporary folder. */
const withBundle = (check: (folder: string, write: (file: string, text: string) => string) => void) => () => {
  const root = mkdtempSync(join(tmpdir(), "bundle-"));
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
    return join(root, file);
  };
  try {
    const inputs = [write("src/main.ts", "one"), write("node_modules/@scope/name/lib/index.js", "two")];
    write("node_modules/@scope/name/package.json", "{}");
    write("bundle/main.js", "one two");
    assert.isFalse(isBundleKept(join(root, "bundle")), "not without its list");
    keepBundle(join(root, "bundle"), inputs);
    assert.isTrue(isBundleKept(join(root, "bundle")));
    check(join(root, "bundle"), write);
  } finally {
    rmSync(root, { recursive: true });
  }
};

it(
  "a bundle is kept while its sources are unchanged",
  withBundle((bundle, write) => {
    write("src/main.ts", "another");
    assert.isFalse(isBundleKept(bundle));
  }),
);

it(
  "a source written again counts as changed, even with the same contents",
  withBundle((bundle, write) => {
    utimesSync(write("src/main.ts", "one"), 1, 1);
    assert.isFalse(isBundleKept(bundle));
  }),
);

it(
  "a dependency counts as changed if its manifest is",
  withBundle((bundle, write) => {
    write("node_modules/@scope/name/lib/index.js", "touched");
    assert.isTrue(isBundleKept(bundle));
    write("node_modules/@scope/name/package.json", '{"version":"2"}');
    assert.isFalse(isBundleKept(bundle));
  }),
);

it(
  "a missing source counts as changed",
  withBundle((bundle) => {
    rmSync(join(bundle, "../src"), { recursive: true });
    assert.isFalse(isBundleKept(bundle));
  }),
);

it.runIf(process.env["CI"] === "true")("an installation leaves a bundle that is up to date", () => {
  assert.isTrue(isBundleKept(BUNDLE));
});
