import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** This is a separate constant, because bundlers rewrite `new URL` and `createRequire` calls that contain `import.meta.url`. */
const HERE = import.meta.url;

const beside = (file: string): URL => new URL(file, HERE);

/**
 * Returns the URL of the worker's module. In the sources, in the built package and in the server's bundle, the worker's
 * module is beside this one. A program that bundles this package itself finds the worker's module in the installed
 * package.
 */
export const findWorker = (): URL | string =>
  [beside("./worker.ts"), beside("./worker.js")].find((url) => existsSync(url)) ?? findInstalled();

const findInstalled = (): string => {
  try {
    return createRequire(HERE).resolve("@postern/mime/worker");
  } catch (cause) {
    throw new Error(
      "the MIME worker is not found: bundle @postern/server/worker (the same as @postern/mime/worker) into a file of its " +
        "own and give its URL as the option `workerUrl`, or install @postern/mime beside the bundle",
      { cause },
    );
  }
};
