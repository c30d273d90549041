import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Returns a folder of files that the package ships beside this module; in the repository, the folder it is copied from. */
export const shippedFolder = (name: string, inRepository: string): string => {
  const shipped = fileURLToPath(new URL(`./shipped/${name}`, import.meta.url));
  return existsSync(shipped) ? shipped : fileURLToPath(new URL(inRepository, import.meta.url));
};
