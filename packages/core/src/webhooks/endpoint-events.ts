import { type EventAccount, type MailEvent, writeEvent } from "../events/index.ts";
import type { DisabledReason } from "./Endpoint.ts";

/** Returns the event `webhook.disabled` (spec 7); `now` in epoch milliseconds. */
export const disabledEvent = (
  id: string,
  account: EventAccount,
  endpointId: string,
  reason: DisabledReason,
  now: number,
): MailEvent => writeEvent(id, account, "webhook.disabled", now, { endpointId, reason });
