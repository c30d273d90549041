import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "./describe-with.ts";

/** Prometheus' tool that checks and runs rules, as `.ci/unpack-promtool` unpacks it. */
export const PROMTOOL = join(import.meta.dirname, "../../../.cache/promtool/promtool");

/** Declares a suite that needs promtool: see `describeWith`. */
export const describeWithPromtool = (name: string, body: () => void): void =>
  describeWith(
    "promtool",
    existsSync(PROMTOOL) ? undefined : "promtool is missing: run .ci/unpack-promtool (Debian 12)",
    name,
    body,
  );
