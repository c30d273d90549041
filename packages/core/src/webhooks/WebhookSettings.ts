import { Context } from "effect";
import type { RetryLadder } from "../shared/index.ts";

/** The operator's settings for webhooks (spec 1). */
export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    readonly ladder: RetryLadder;
    /** The public address of this service. */
    readonly baseUrl: string;
  }
>()("@postern/core/webhooks/WebhookSettings") {}
