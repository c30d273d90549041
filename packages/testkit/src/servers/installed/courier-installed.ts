import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "./describe-with.ts";

/** The folder into which `.ci/unpack-courier` unpacks Debian's packages. */
export const COURIER_FOLDER = join(import.meta.dirname, "../../../.cache/courier");

/** Declares a suite that needs a Courier: see `describeWith`. */
export const describeWithCourier = (name: string, body: () => void): void => {
  const isThere = existsSync(join(COURIER_FOLDER, "usr/bin/imapd"));
  describeWith("Courier", isThere ? undefined : "Courier is missing: run .ci/unpack-courier (Debian 12)", name, body);
};
