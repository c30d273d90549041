import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Returns the URL of the worker's module: beside this one, in sources, in a package built from them and in a bundle
 * that emits the file each of these URLs names; else in the installed package, for a bundler without support for
 * workers.
 */
export const workerUrl = (): URL | string => {
  const beside = [new URL("./worker.ts", import.meta.url), new URL("./worker.js", import.meta.url)];
  return beside.find((url) => existsSync(url)) ?? installed();
};

const installed = (): string => {
  try {
    return createRequire(import.meta.url).resolve("@postern/mime/worker");
  } catch (cause) {
    throw new Error(
      "the MIME worker is not found: install @postern/mime beside the bundle, or bundle @postern/mime/worker by itself " +
        "and give its URL as the option `worker`",
      { cause },
    );
  }
};
