/**
 * Why a request is not a webhook of the endpoint. `missing`: a header it needs is not there. `timestamp`: too old, too
 * new or no time at all. `signature`: signed with none of the secrets. `body`: signed, but no event.
 */
export type WebhookRejection = "missing" | "timestamp" | "signature" | "body";

/** Answer such a request with a 400 and do nothing else. */
export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected";
  readonly reason: WebhookRejection;

  constructor(reason: WebhookRejection, message: string) {
    super(message);
    this.reason = reason;
  }
}
