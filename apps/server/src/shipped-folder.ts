import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns a folder of files that the package ships beside this module; in the repository, returns the source of that
 * folder.
 */
export const shippedFolder = (name: string, inRepository: string): string => {
  // This code avoids `new URL`, because bundlers copy each file that such a URL may name.
  const here = dirname(fileURLToPath(import.meta.url));
  const shipped = join(here, "shipped", name);
  return existsSync(shipped) ? shipped : join(here, inRepository);
};
