import { Context } from "effect";
import type { MailRetries } from "./outgoing/mail-retries.ts";
import type { SendRates } from "./send-quota.ts";
import type { SenderAliases, SenderPolicy } from "./identities/choose-sender.ts";

/** The operator's settings for sending (spec 1). */
export class SendSettings extends Context.Service<
  SendSettings,
  {
    readonly rates: SendRates;
    readonly retries: MailRetries;
    readonly policy: SenderPolicy;
    readonly aliases: SenderAliases;
    /** The sender of notices (`NOTIFY_FROM`); null for the account that a notice concerns. */
    readonly noticesFrom: string | null;
    /** The origin of tracking images and of links in notices. */
    readonly baseUrl: string;
  }
>()("@postern/core/send/SendSettings") {}
