/** The tables of `auth`. */
export interface AuthTables {
  readonly credential: CredentialRow;
  readonly session: SessionRow;
  readonly login_attempt: LoginAttemptRow;
  readonly login_success: { readonly account: string; readonly network: string; readonly at: number };
  readonly account_erasure: { readonly account: string };
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
