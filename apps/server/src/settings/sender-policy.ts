import { type SenderPolicy, senderPolicyOf } from "@postern/core/send";
import { type Environment, refuse, text } from "./environment.ts";

/** Returns the senders that `SENDER_BLOCKLIST` refuses. */
export const senderPolicy = (env: Environment): SenderPolicy => {
  const entries = text(env, "SENDER_BLOCKLIST", "")
    .split(",")
    .map((entry) => entry.trim());
  const policy = senderPolicyOf(entries.filter((entry) => entry !== ""));
  if (typeof policy !== "string") return policy;
  throw refuse("SENDER_BLOCKLIST", `has ${JSON.stringify(policy)}`, "addresses and @domains separated by commas");
};
