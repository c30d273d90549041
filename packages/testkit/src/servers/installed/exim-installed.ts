import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "./describe-with.ts";

/** The folder into which `.ci/unpack-exim` unpacks Debian's packages. */
export const EXIM_FOLDER = join(import.meta.dirname, "../../../.cache/exim");

/** Declares a suite that needs an Exim: see `describeWith`. */
export const describeWithExim = (name: string, body: () => void): void => {
  const isThere = existsSync(join(EXIM_FOLDER, "usr/sbin/exim4"));
  describeWith("Exim", isThere ? undefined : "Exim is missing: run .ci/unpack-exim (Debian 12)", name, body);
};
