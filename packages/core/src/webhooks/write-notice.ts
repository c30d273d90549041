import { DateTime } from "effect";
import { KEPT_MILLIS } from "../events/neighbours.ts";
import { ownMail } from "../send/neighbours.ts";
import { type OutgoingContents, type OutgoingMessage, type SendSettings } from "../send/index.ts";
import type { DisabledNotice } from "./Endpoint.ts";
import type { AccountId, RetryLadder } from "../shared/index.ts";
import type { WebhookSettings } from "./WebhookSettings.ts";

const SUBJECT = "A webhook endpoint was disabled";

const linesOf = (
  { url, endpointId, disabledAt }: DisabledNotice,
  { baseUrl, ladder }: Pick<WebhookSettings["Service"], "baseUrl" | "ladder">,
): ReadonlyArray<string> => [
  `Your webhook endpoint ${url} was disabled at ${DateTime.formatIso(DateTime.makeUnsafe(disabledAt))}:`,
  `an event could not be delivered to it, and ${retriesOf(ladder)} failed.`,
  "",
  "Nothing is lost. What happens from now on is held for 14 days.",
  "",
  "When the endpoint answers with 2xx again:",
  `  1. enable it:      POST ${baseUrl}/api/settings/webhooks/${endpointId}/enable`,
  `  2. replay events:  POST ${baseUrl}/api/settings/webhooks/${endpointId}/replay`,
  `     with {"since": "${DateTime.formatIso(DateTime.makeUnsafe(disabledAt - reachOf(ladder)))}"}`,
  "",
];

const retriesOf = ({ length }: RetryLadder): string =>
  length === 0 ? "its only attempt" : length === 1 ? "its retry" : `all ${length} retries`;

const DAY_MILLIS = 86_400_000;

/**
 * Returns the maximum age of the failed event when its endpoint is disabled, in milliseconds: the longest duration of
 * the ladder plus a day. The result is at least three days less than the retention, because a replay of older events is
 * refused.
 */
const reachOf = (ladder: RetryLadder): number =>
  Math.min(2 * ladder.reduce((sum, step) => sum + step, 0) + DAY_MILLIS, KEPT_MILLIS - 3 * DAY_MILLIS);

/** Returns the e-mail to `account` about a disabled endpoint, for the journal; the same for each endpoint and generation (spec 7). */
export const writeNotice = (
  notice: DisabledNotice,
  account: AccountId,
  { noticesFrom: from, baseUrl, ladder }: WebhookSettings["Service"] & Pick<SendSettings["Service"], "noticesFrom">,
): { readonly message: OutgoingMessage; readonly contents: OutgoingContents } => {
  const { endpointId, generation, disabledAt } = notice;
  return ownMail({
    id: `out_notice_${endpointId}_${generation}`,
    account,
    from: from === null ? { name: "", address: account } : { name: "Postern", address: from },
    to: account,
    subject: SUBJECT,
    lines: linesOf(notice, { baseUrl, ladder }),
    now: disabledAt,
  });
};
