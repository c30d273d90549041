import { Context } from "effect";

/** What the operator decides about notices to owners (decisions 1, `NOTIFY_FROM`). */
export class NoticeSettings extends Context.Service<
  NoticeSettings,
  {
    /** Who they come from; null: the account they go to. */
    readonly from: string | null;
    /** The public address of this service. */
    readonly baseUrl: string;
  }
>()("@postern/core/webhooks/NoticeSettings") {}
