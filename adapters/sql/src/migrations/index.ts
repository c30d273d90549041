import { signInAndFolders } from "./0001-sign-in-and-folders.ts";
import type { Migration } from "./Migration.ts";

/** Every step there is, oldest first. */
export const migrations: ReadonlyArray<Migration> = [signInAndFolders];
