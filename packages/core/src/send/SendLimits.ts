import type { SendRates } from "./send-quota.ts";

/** The limits on sending that `GET /api/limits` returns (spec 6, 8). */
export interface SendLimits extends SendRates {
  readonly maxMessageBytes: number;
  readonly maxAttachmentBytes: number;
  readonly maxAttachments: number;
  readonly maxRecipients: number;
}
