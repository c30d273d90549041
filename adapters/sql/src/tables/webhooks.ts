/** The tables of `webhooks`. */
export interface WebhooksTables {
  readonly endpoint: EndpointRow;
  /** The entries of the reach of each endpoint of an application that is not removed. */
  readonly endpoint_reach: { readonly entry: string; readonly endpoint_id: string };
  readonly endpoint_secret: { readonly endpoint_id: string; readonly sealed: string };
  readonly delivery: DeliveryRow;
  readonly attempt: AttemptRow;
}

export interface EndpointRow {
  readonly id: string;
  /** Null for the endpoint of an application. */
  readonly account: string | null;
  /** Null for the endpoint of an account. */
  readonly application: string | null;
  /** The reach of an application's endpoint as a JSON array; null for all accounts. */
  readonly reach: string | null;
  readonly notify: string | null;
  readonly url: string;
  readonly description: string;
  /** As a JSON array. */
  readonly events: string;
  readonly state: "enabled" | "disabled";
  readonly disabled_at: number | null;
  readonly disabled_reason: "owner" | "exhausted" | null;
  readonly generation: number;
  readonly max_in_flight: number;
  readonly ordered: 0 | 1;
  readonly disable_policy: "literal" | "no_success";
  readonly honour_retry_after: 0 | 1;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_success_at: number | null;
  readonly last_delivery_at: number | null;
  readonly last_status: number | null;
  readonly consecutive_failures: number;
  /** When a claim last took a delivery of the endpoint; null: never. */
  readonly last_claimed_at: number | null;
  /** The delivery that a claim last took; null: none. An ordered endpoint serves the accounts after that one's first. */
  readonly last_claimed_id: string | null;
  /** When the endpoint was removed. Its rows are then hidden and being erased. */
  readonly removed_at: number | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly trigger: string;
  /** The event's account, like its type, time and position below. */
  readonly account: string;
  readonly type: string;
  readonly occurred_at: number;
  readonly position: number;
  readonly generation: number;
  readonly state: "pending" | "in_flight" | "succeeded" | "exhausted" | "cancelled";
  readonly step: number;
  readonly due_at: number;
  readonly first_attempt_at: number | null;
  readonly lease_until: number | null;
  readonly lease_token: string | null;
  readonly lost_claims: number;
}

export interface AttemptRow {
  readonly delivery_id: string;
  readonly n: number;
  readonly started_at: number;
  readonly ms: number;
  readonly status: number | null;
  readonly error_code: string | null;
  readonly excerpt: string;
  readonly remote_ip: string | null;
}
