import { Context } from "effect";
import type { SendRates } from "./send-quota.ts";
import type { SenderPolicy } from "./sender-policy.ts";

/** The operator's settings for sending (spec 1). */
export class SendSettings extends Context.Service<
  SendSettings,
  {
    readonly rates: SendRates;
    readonly policy: SenderPolicy;
    /** The origin of tracking images. */
    readonly baseUrl: string;
  }
>()("@postern/core/send/SendSettings") {}
