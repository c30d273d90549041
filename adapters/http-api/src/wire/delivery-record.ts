import type { WebhookDelivery } from "@postern/api";
import type { DeliveryView } from "@postern/core/webhooks";
import { instantOf } from "./instant-of.ts";

/** Returns a delivery as the API shows it (spec 7.6). */
export const deliveryRecord = ({ delivery, attempts, state }: DeliveryView): typeof WebhookDelivery.Type => ({
  id: delivery.id,
  eventId: delivery.eventId,
  event: delivery.type,
  occurredAt: instantOf(delivery.occurredAt),
  trigger: delivery.trigger.split(":")[0] as "event" | "replay" | "resend",
  state,
  failures: delivery.step,
  nextAttemptAt: state === "pending" ? instantOf(delivery.dueAt) : null,
  attempts: attempts.map(({ n, startedAt, ms, status, errorCode, excerpt, headers }) => ({
    n,
    startedAt: instantOf(startedAt),
    ms,
    status,
    errorCode,
    excerpt,
    requestHeaders: headers === null ? null : headersOf(headers),
  })),
});

const headersOf = (lines: string): Readonly<Record<string, string>> =>
  Object.fromEntries(lines.split("\n").map((line) => [line.split(": ", 1)[0]!, line.slice(line.indexOf(": ") + 2)]));
