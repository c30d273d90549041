// Plain JavaScript, so that a Node too old to read TypeScript can still say so.
import module from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`Postern needs Node.js 22.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
module.enableCompileCache?.();
const { BUNDLE, isBundleKept } = await import("./kept-bundle.mjs");
await import(isBundleKept(BUNDLE) ? "./.bundle/main.js" : "./src/main.ts");
