import type { Application, ServiceKey, Session } from "@postern/core/auth";
import { columnsOf } from "./columns.ts";

/** The tables of `auth`. */
export interface AuthTables {
  readonly credential: CredentialRow;
  readonly session: SessionRow;
  readonly login_attempt: LoginAttemptRow;
  readonly login_success: { readonly account: string; readonly network: string; readonly at: number };
  readonly account_erasure: { readonly account: string };
  readonly service_key: ServiceKeyRow;
  readonly application: { readonly application: string } & ReturnType<typeof APPLICATION.rowOf>;
  readonly suspended_application: { readonly application: string; readonly suspended_at: number };
  readonly wrong_key: { readonly id: string; readonly network: string; readonly at: number };
}

export interface CredentialRow {
  readonly account: string;
  /** The version; begins with the time and grows, so that every stored credential has a new version. */
  readonly version: number;
  /** The user name and the password, or the grant, sealed by `RecordCipher`. */
  readonly sealed: string;
  readonly kept_at: number;
  /** The time at which the mail server refused the credential; null while the credential is valid. */
  readonly rejected_at: number | null;
  /** 1 once the rejection was published as an event. */
  readonly rejection_told: number;
  /** The account whose grant opens this mailbox too. */
  readonly delegate_of: string | null;
}

/** The columns that all sessions have. */
export const SESSION = columnsOf<Session>()({
  id: "text",
  account: "text",
  createdAt: "bigint",
  lastUsedAt: "bigint",
  expiresAt: "bigint",
  absoluteExpiresAt: "bigint",
});

export interface SessionRow extends ReturnType<typeof SESSION.rowOf> {
  readonly network: string;
  readonly user_agent: string;
  /**
   * The hash of a browser session's cookie. The columns below belong to an API client's session, and are null for a
   * browser's.
   */
  readonly cookie_hash: string | null;
  /** The current refresh token; it expires with the session. */
  readonly refresh_hash: string | null;
  readonly refresh_token_id: string | null;
  readonly refresh_key_id: string | null;
  readonly refresh_issued_at: number | null;
  /** The previous refresh token; null if there was none. */
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

/** The columns of an application's profile, which the operator sets. */
export const APPLICATION = columnsOf<Application>()({
  displayName: "text",
  purpose: "text",
  colour: "text",
  logo: "text",
  notify: "text",
});

/** The columns of a key's fields; its grants share one column of JSON. */
export const SERVICE_KEY = columnsOf<ServiceKey>()({
  id: "text",
  name: "text",
  application: "text",
  createdAt: "bigint",
  expiresAt: "bigint",
  lastUsedAt: "bigint",
  sendPerDay: "bigint",
  notify: "text",
});

export interface ServiceKeyRow extends ReturnType<typeof SERVICE_KEY.rowOf> {
  /** SHA-256 of the key. */
  readonly hash: string;
  /** Scopes, accounts and networks, as `keyGrantsJson` writes them. */
  readonly grants: string;
}
