import { Context } from "effect";
import type { RetryLadder } from "../shared/index.ts";

/** What the operator decides about webhooks (spec 1). */
export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    readonly ladder: RetryLadder;
    /** Who notices to owners come from (`NOTIFY_FROM`); null: the account they go to. */
    readonly noticesFrom: string | null;
    /** The public address of this service. */
    readonly baseUrl: string;
  }
>()("@postern/core/webhooks/WebhookSettings") {}
