import type { OutgoingMessage, stateOf } from "@postern/core/send";
import type { LeasedRow } from "./LeasedRow.ts";

/** The tables of `send`. */
export interface SendTables {
  readonly outgoing: OutgoingRow;
  readonly outgoing_contents: { readonly id: string; readonly contents: string };
  readonly outgoing_recipient: OutgoingRecipientRow;
  readonly identity: IdentityRow;
  readonly contact: ContactRow;
  readonly sent_scan: SentScanRow;
  readonly idempotency_key: IdempotencyKeyRow;
  readonly send_quota: SendQuotaRow;
  readonly tracked_message: TrackedMessageRow;
  readonly upload: UploadRow;
  readonly upload_pin: { readonly outgoing_id: string; readonly upload_id: string };
  readonly upload_chunk: { readonly upload_id: string; readonly n: number; readonly bytes: Uint8Array };
}

export interface OutgoingRow extends LeasedRow {
  readonly account: string;
  /** The service key that requested the message, and the key's application. */
  readonly key_id: string | null;
  readonly application: string | null;
  /** The mail server that did not answer the last attempt. */
  readonly waits_for: string | null;
  /** The state without the lease. A waiting message with a lease is being sent. */
  readonly state: ReturnType<typeof stateOf>;
  /** The change that was requested while the message was leased. */
  readonly asked: NonNullable<OutgoingMessage["asked"]> | null;
  readonly message_id: string;
  /** The Message-ID that the mail server gave the message instead. */
  readonly provider_message_id: string | null;
  readonly created_at: number;
  /** The time of the end; null until the message is finished. */
  readonly finished_at: number | null;
  /** The message as JSON, always read and written as a whole. */
  readonly record: string;
}

/** A recipient of a message, kept as long as the message. */
export interface OutgoingRecipientRow {
  readonly outgoing_id: string;
  /** The address in the form of `addressKey`. */
  readonly address: string;
  readonly account: string;
  /** The time at which the message was created. */
  readonly created_at: number;
}

export interface ContactRow {
  readonly id: string;
  readonly account: string;
  /** The address in the form of `addressKey`; unique in the account. */
  readonly address_key: string;
  readonly address: string;
  readonly name: string;
  /** The name and the address in lower case, to be searched. */
  readonly folded: string;
  readonly last_written_at: number;
  readonly forgotten_at: number | null;
}

/** The UIDs of Sent that were read. */
export interface SentScanRow {
  readonly account: string;
  readonly uid_validity: number;
  readonly uid_from: number;
  readonly uid_below: number;
}

export interface IdentityRow {
  readonly id: string;
  readonly account: string;
  /** The address in the form of `addressKey`; unique in the account. */
  readonly address_key: string;
  readonly created_at: number;
  /** The hash of the verification secret; null once the address is verified. */
  readonly verification_hash: string | null;
  /** The identity as JSON, always read and written as a whole. */
  readonly record: string;
}

export interface IdempotencyKeyRow {
  readonly account: string;
  readonly key: string;
  readonly body_hash: string;
  readonly outgoing_id: string;
  readonly created_at: number;
  /** The answer as JSON; null until the request is answered. */
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
  /** The number of opens by class, as JSON. */
  readonly opens: string;
  readonly events: number;
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
