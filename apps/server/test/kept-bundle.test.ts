import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { BUNDLE, isBundleKept, keepBundle } from "../kept-bundle.mjs";

/** A bundle in a folder of its own, made from one source and one dependency. */
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
  "a bundle is kept while its sources are as they were",
  withBundle((bundle, write) => {
    write("src/main.ts", "another");
    assert.isFalse(isBundleKept(bundle));
  }),
);

it(
  "a source written again counts as changed, whatever is in it",
  withBundle((bundle, write) => {
    utimesSync(write("src/main.ts", "one"), 1, 1);
    assert.isFalse(isBundleKept(bundle));
  }),
);

it(
  "a dependency counts by its manifest",
  withBundle((bundle, write) => {
    write("node_modules/@scope/name/lib/index.js", "touched");
    assert.isTrue(isBundleKept(bundle));
    write("node_modules/@scope/name/package.json", '{"version":"2"}');
    assert.isFalse(isBundleKept(bundle));
  }),
);

it(
  "a source that is gone counts as changed",
  withBundle((bundle) => {
    rmSync(join(bundle, "../src"), { recursive: true });
    assert.isFalse(isBundleKept(bundle));
  }),
);

it.runIf(process.env["CI"] === "true")("what an installation leaves to be started is the bundle", () => {
  assert.isTrue(isBundleKept(BUNDLE));
});
