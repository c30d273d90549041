import { existsSync } from "node:fs";
import { describeWith } from "./describe-with.ts";

/** The path of Debian's Chromium. */
export const CHROMIUM = "/usr/bin/chromium";

/** Declares a suite that needs a browser: see `describeWith`. */
export const describeWithChromium = (name: string, body: () => void): void =>
  describeWith("Chromium", existsSync(CHROMIUM) ? undefined : `${CHROMIUM} missing: install chromium`, name, body);
