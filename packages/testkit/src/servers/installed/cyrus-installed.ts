import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "./describe-with.ts";

/** The folder into which `.ci/unpack-cyrus` unpacks Debian's packages. */
export const CYRUS_FOLDER = join(import.meta.dirname, "../../../.cache/cyrus");

/** Declares a suite that needs a Cyrus: see `describeWith`. */
export const describeWithCyrus = (name: string, body: () => void): void => {
  const isThere = existsSync(join(CYRUS_FOLDER, "usr/lib/cyrus/bin/master"));
  describeWith("Cyrus", isThere ? undefined : "Cyrus is missing: run .ci/unpack-cyrus (Debian 12)", name, body);
};
