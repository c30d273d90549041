import type { MailEvent } from "../events/MailEvent.ts";
import { writeEvent } from "../events/write-event.ts";
import type { AccountId } from "../shared/AccountId.ts";
import type { DisabledReason } from "./Endpoint.ts";

/** The event `webhook.disabled` (decisions 7); `now` in epoch milliseconds. */
export const disabledEvent = (
  id: string,
  { account, endpointId }: { readonly account: AccountId; readonly endpointId: string },
  reason: DisabledReason,
  now: number,
): MailEvent => writeEvent(id, account, "webhook.disabled", now, { endpointId, reason });
