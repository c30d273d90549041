import type { AccountWatchRow, ExpectedMessageRow, FollowedMailboxRow, SeenMessageRow } from "./arrival-tables.ts";
import type { AttemptRow, DeliveryRow, EndpointRow } from "./webhook-tables.ts";

export type { AttemptRow, DeliveryRow, EndpointRow } from "./webhook-tables.ts";

/** The rows as both databases give them. Times are epoch milliseconds. */
export interface Tables {
  readonly migration: { readonly name: string; readonly applied_at: number };
  readonly credential: CredentialRow;
  readonly service_secret: { readonly name: string; readonly sealed: string };
  readonly session: SessionRow;
  readonly login_attempt: LoginAttemptRow;
  readonly login_success: { readonly account: string; readonly network: string; readonly at: number };
  readonly folder_list: { readonly account: string; readonly listed_at: number };
  readonly folder: FolderRow;
  readonly folder_removal: FolderRemovalRow;
  readonly outgoing: OutgoingRow;
  readonly outgoing_contents: { readonly id: string; readonly contents: string };
  readonly parse_job: ParseJobRow;
  readonly reported_recipient: { readonly outgoing_id: string; readonly recipient: string; readonly kind: string };
  readonly idempotency_key: IdempotencyKeyRow;
  readonly send_quota: SendQuotaRow;
  readonly write_probe: { readonly id: string };
  readonly tracked_message: TrackedMessageRow;
  readonly event: EventRow;
  readonly account_erasure: { readonly account: string };
  readonly endpoint: EndpointRow;
  readonly endpoint_secret: { readonly endpoint_id: string; readonly sealed: string };
  readonly delivery: DeliveryRow;
  readonly attempt: AttemptRow;
  readonly moved_message: MovedMessageRow;
  readonly event_count: { readonly account: string; readonly count: number };
  readonly followed_mailbox: FollowedMailboxRow;
  readonly seen_message: SeenMessageRow;
  readonly expected_message: ExpectedMessageRow;
  readonly account_watch: AccountWatchRow;
  readonly node: { readonly id: string; readonly alive_until: number };
  readonly upload: UploadRow;
  readonly upload_pin: { readonly outgoing_id: string; readonly upload_id: string };
  readonly upload_chunk: { readonly upload_id: string; readonly n: number; readonly bytes: Uint8Array };
}

export interface CredentialRow {
  readonly account: string;
  /** Begins as the time and grows with each credential that is kept, so that none bears the version of another. */
  readonly version: number;
  /** User name and password, sealed by `RecordCipher`. */
  readonly sealed: string;
  readonly kept_at: number;
  /** When the mail server refused it; null while it is good. */
  readonly rejected_at: number | null;
  /** 1 once there is an event about that. */
  readonly rejection_told: number;
}

export interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly expires_at: number;
  readonly absolute_expires_at: number;
  readonly network: string;
  readonly user_agent: string;
  /** Of a browser's session; what follows is of an API client's, and null in a browser's. */
  readonly cookie_hash: string | null;
  /** The refresh token in force; it expires with the session. */
  readonly refresh_hash: string | null;
  readonly refresh_token_id: string | null;
  readonly refresh_key_id: string | null;
  readonly refresh_issued_at: number | null;
  /** The one before it, null where there was none. */
  readonly previous_hash: string | null;
  readonly rotated_at: number | null;
}

export interface LoginAttemptRow {
  readonly id: string;
  readonly account: string;
  readonly network: string;
  readonly password_mark: string;
  readonly at: number;
  readonly outcome: "pending" | "refused";
}

export interface FolderRow {
  readonly account: string;
  readonly id: string;
  readonly path: string;
  readonly mailbox_id: string | null;
  readonly uid_validity: number | null;
  readonly uid_next: number | null;
  readonly created_at: number;
}

export interface FolderRemovalRow {
  readonly id: string;
  readonly account: string;
  readonly folder_id: string;
  readonly path: string;
  readonly uid_validity: number | null;
  readonly hidden_path: string;
  readonly delimiter: string | null;
  /** Null, like the path, where the messages are destroyed. */
  readonly destination_id: string | null;
  readonly destination_path: string | null;
  readonly phase: "hiding" | "emptying" | "restoring" | "finished";
  readonly moved: number;
  readonly remaining: number;
  /** Null, like the three below, where none is being moved. */
  readonly batch_mailbox: string | null;
  readonly batch_last_uid: number | null;
  readonly batch_count: number | null;
  readonly batch_copied_from: number | null;
  readonly begun_at: number;
  readonly failures: number;
  readonly due_at: number;
  readonly reason: string | null;
  readonly lease_owner: string | null;
  readonly lease_until: number | null;
}

/** What every table of leased rows has. */
export interface LeasedRow {
  readonly id: string;
  /** When it may be taken: when it is due, or, while it is leased, when the lease runs out. Null: never. */
  readonly due_at: number | null;
  /** Who holds it; stays when the lease runs out, until somebody else takes it. */
  readonly lease_token: string | null;
}

export interface OutgoingRow extends LeasedRow {
  readonly account: string;
  readonly message_id: string;
  readonly created_at: number;
  /** Null while anything is left to do. */
  readonly finished_at: number | null;
  /** The message as JSON: it is only ever read and written whole. */
  readonly record: string;
}

export interface ParseJobRow extends LeasedRow {
  readonly account: string;
  /** The job as JSON: it is only ever read and written whole. */
  readonly record: string;
}

export interface IdempotencyKeyRow {
  readonly account: string;
  readonly key: string;
  readonly body_hash: string;
  readonly outgoing_id: string;
  readonly created_at: number;
  /** As JSON; null until the request was answered. */
  readonly answer: string | null;
}

export interface SendQuotaRow {
  readonly account: string;
  readonly minute_started_at: number;
  readonly minute_used: number;
  readonly day_started_at: number;
  readonly day_used: number;
}

export interface TrackedMessageRow {
  readonly id: string;
  readonly account: string;
  readonly message_id: string;
  readonly recipient: string | null;
  /** Counts by class, as JSON. */
  readonly opens: string;
  readonly events: number;
}

export interface EventRow {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly occurred_at: number;
  readonly body: Uint8Array;
  /** From 1, in the order the account's events were committed. */
  readonly position: number;
}

export interface MovedMessageRow {
  readonly account: string;
  readonly folder_id: string;
  readonly uid_validity: number;
  readonly uid: number;
  readonly to_folder_id: string;
  readonly to_uid_validity: number;
  readonly to_uid: number;
  readonly moved_at: number;
}

export interface UploadRow {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly created_at: number;
  readonly state: "incoming" | "complete" | "retired";
}
