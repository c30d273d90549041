/**
 * The reason why a request is not a webhook of the endpoint. `missing`: a required header is missing. `timestamp`: the
 * time is too old, too new or invalid. `signature`: the request is signed with none of the secrets. `body`: the request
 * is signed, but its body is not an event.
 */
export type WebhookRejection = "missing" | "timestamp" | "signature" | "body";

/** The request is not a webhook of the endpoint. Answer the request with a 400 and do nothing else. */
export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected";
  readonly reason: WebhookRejection;

  constructor(reason: WebhookRejection, message: string) {
    super(message);
    this.reason = reason;
  }
}
