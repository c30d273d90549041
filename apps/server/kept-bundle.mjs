import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** As deep as the sources, so that both find what lies beside them. */
export const BUNDLE = join(import.meta.dirname, ".bundle");

/** A dependency's folder, up to its name, and the rest. */
const IN_A_DEPENDENCY = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+\/).*$/;

/** Writes down what a bundle was made from: our own files, and of each dependency the manifest alone. */
export const keepBundle = (bundle, inputs) => {
  const files = new Set(inputs.map((file) => relative(bundle, file.replace(IN_A_DEPENDENCY, "$1package.json"))));
  const stamps = [...files].map((file) => [file, stamp(bundle, file)]);
  writeFileSync(madeFrom(bundle), JSON.stringify(Object.fromEntries(stamps)));
};

/** Whether there is a bundle and nothing it was made from has changed since. */
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
