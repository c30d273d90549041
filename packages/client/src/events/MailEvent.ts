/** An event as streams and webhooks deliver it (spec 7.1). The same `id` may come more than once. */
export interface MailEvent {
  readonly id: string;
  /** Such as `email.received`; `GET /api/settings/webhooks/event-types` lists all. */
  readonly event: string;
  /** ISO 8601 UTC. */
  readonly timestamp: string;
  /** The account that the event is about. */
  readonly account: { readonly id: string; readonly email: string };
  readonly data: Readonly<Record<string, unknown>>;
}
