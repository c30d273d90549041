import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The bundle is as deep in the tree as the sources, so that relative paths mean the same files in both. */
export const BUNDLE = join(import.meta.dirname, ".bundle");

/** A path inside a dependency. The first group is the folder of the dependency. */
const IN_A_DEPENDENCY = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+\/).*$/;

/** Stores the stamps of the files that a bundle was made from: our own files, and each dependency's manifest. */
export const keepBundle = (bundle, inputs) => {
  const files = new Set(inputs.map((file) => relative(bundle, file.replace(IN_A_DEPENDENCY, "$1package.json"))));
  const stamps = [...files].map((file) => [file, stamp(bundle, file)]);
  writeFileSync(madeFrom(bundle), JSON.stringify(Object.fromEntries(stamps)));
};

/** Whether there is a bundle whose sources have not changed since it was made. */
export const isBundleKept = (bundle) => {
  try {
    const stamps = Object.entries(JSON.parse(readFileSync(madeFrom(bundle), "utf8")));
    return stamps.every(([file, made]) => stamp(bundle, file) === made);
  } catch {
    return false;
  }
};

const madeFrom = (bundle) => join(bundle, "made-from.json");

const stamp = (bundle, file) => {
  const { mtimeMs, size } = statSync(join(bundle, file));
  return `${mtimeMs} ${size}`;
};
