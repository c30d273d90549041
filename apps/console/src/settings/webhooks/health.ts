import type { Endpoint } from "./webhooks.ts";

export interface Health {
  readonly look: "good" | "warn" | "bad" | "";
  readonly word: string;
}

/** Returns the health of an endpoint in a few words. */
export const healthOf = (
  endpoint: Pick<Endpoint, "enabled" | "disabledReason" | "lastDeliveryAt" | "consecutiveFailures">,
): Health => {
  if (!endpoint.enabled) {
    return endpoint.disabledReason === "exhausted"
      ? { look: "bad", word: "disabled after failures" }
      : { look: "", word: "disabled by you" };
  }
  if (endpoint.consecutiveFailures > 0) {
    const failures = endpoint.consecutiveFailures;
    return { look: "warn", word: `${failures} ${failures === 1 ? "failure" : "failures"} in a row` };
  }
  return endpoint.lastDeliveryAt === null
    ? { look: "", word: "nothing sent yet" }
    : { look: "good", word: "delivering" };
};
