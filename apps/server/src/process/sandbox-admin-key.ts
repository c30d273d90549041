import { randomBytes } from "node:crypto";
import { Redacted } from "effect";
import type { Config } from "../settings/config.ts";

/** Returns a new admin key for a sandbox without one (spec 10.1), so that users can try keys; otherwise undefined. */
export const sandboxAdminKey = ({ adminKeys, sandbox }: Config): Redacted.Redacted | undefined =>
  sandbox && adminKeys.length === 0 ? Redacted.make(`adm_${randomBytes(32).toString("base64url")}`) : undefined;
