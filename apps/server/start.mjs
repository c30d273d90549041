#!/usr/bin/env node
// Plain JavaScript, so that this file can report a version of Node that is too old for TypeScript.
import module from "node:module";
import { sep } from "node:path";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`Postern needs Node.js 22.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

// Node 22 warns at each start that both features are experimental. Postern needs both, and its tests run with them.
const KNOWN = /^(SQLite|Type Stripping) is an experimental feature/;
const emitWarning = process.emitWarning.bind(process);
process.emitWarning = (warning, ...options) => {
  if (!KNOWN.test(String(warning))) emitWarning(warning, ...options);
};

module.enableCompileCache?.();
if (import.meta.dirname.split(sep).includes("node_modules")) {
  await import("./dist/main.js");
} else {
  const { BUNDLE, isBundleKept } = await import("./kept-bundle.mjs");
  if (isBundleKept(BUNDLE)) {
    await import("./.bundle/main.js");
  } else if (import.meta.resolve("@postern/core").endsWith(".ts")) {
    await import("./src/main.ts");
  } else {
    console.error("The bundle is older than the sources: run `npm start`, or `npm run prepare` to rebuild the bundle.");
    process.exit(1);
  }
}
