import { Context } from "effect";
import type { SendRates } from "./send-quota.ts";
import type { SenderPolicy } from "./sender-policy.ts";

/** What the operator decides about sending (spec 1). */
export class SendSettings extends Context.Service<
  SendSettings,
  {
    readonly rates: SendRates;
    readonly policy: SenderPolicy;
    /** The origin that tracking pictures are fetched from. */
    readonly baseUrl: string;
  }
>()("@postern/core/send/SendSettings") {}
