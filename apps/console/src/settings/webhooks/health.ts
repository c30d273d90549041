import { t } from "../../texts/text.ts";
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
      ? { look: "bad", word: t("disabled after failures") }
      : { look: "", word: t("disabled by you") };
  }
  if (endpoint.consecutiveFailures > 0) {
    return {
      look: "warn",
      word: t("{count, plural, one {# failure} other {# failures}} in a row", { count: endpoint.consecutiveFailures }),
    };
  }
  return endpoint.lastDeliveryAt === null
    ? { look: "", word: t("nothing sent yet") }
    : { look: "good", word: t("delivering") };
};
