/** The rows as both databases give them. Times are epoch milliseconds. */
export interface Tables {
  readonly migration: { readonly name: string; readonly applied_at: number };
  readonly credential: CredentialRow;
  readonly session: SessionRow;
  readonly folder_list: { readonly account: string; readonly listed_at: number };
  readonly folder: FolderRow;
}

export interface CredentialRow {
  readonly account: string;
  /** Grows with each credential that is kept, so that none bears the version of another. */
  readonly version: number;
  /** User name and password, sealed by `RecordCipher`. */
  readonly sealed: string;
  readonly kept_at: number;
  /** When the mail server refused it; null while it is good. */
  readonly rejected_at: number | null;
}

export interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly absolute_expires_at: number;
  readonly ended_at: number | null;
}

export interface FolderRow {
  readonly account: string;
  readonly id: string;
  readonly path: string;
  readonly mailbox_id: string | null;
  readonly uid_validity: number | null;
  readonly uid_next: number | null;
}
