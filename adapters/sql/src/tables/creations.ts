/** The tables of `creations`. */
export interface CreationsTables {
  readonly creation: CreationRow;
}

export interface CreationRow {
  readonly caller: string;
  readonly key: string;
  readonly request_hash: string;
  readonly account: string | null;
  readonly resource: string;
  readonly created_at: number;
  /** The lease; its columns are null once the creation has finished. */
  readonly lease_token: string | null;
  readonly lease_until: number | null;
}
