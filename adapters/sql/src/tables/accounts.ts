/** The tables of `accounts`. */
export interface AccountsTables {
  readonly account: AccountRow;
  readonly account_tag: { readonly account: string; readonly tag: string };
  readonly host_connection: { readonly id: string; readonly host: string; readonly at: number };
  readonly protocol_log: { readonly account: string; readonly ends_at: number };
  readonly protocol_log_batch: ProtocolLogBatchRow;
  readonly upgrade_task: { readonly name: string };
}

/** A batch of lines that a node appended together. */
export interface ProtocolLogBatchRow {
  readonly id: string;
  readonly account: string;
  readonly appended_at: number;
  readonly bytes: number;
  readonly line_count: number;
  /** The lines, separated by line feeds. */
  readonly lines: string;
}

export interface AccountRow {
  readonly account: string;
  readonly domain: string;
  readonly name: string | null;
  /** The name in lower case, for searches, because `lower` of a database may convert only ASCII letters. */
  readonly folded_name: string | null;
  readonly managed: number;
  readonly paused_at: number | null;
  readonly unreachable_cause: string | null;
  readonly unreachable_since: number | null;
  readonly refused_cause: string | null;
  readonly auth_kind: string;
  readonly provider: string | null;
  /** JSON of `AccountServers`; null for the deployment's servers. */
  readonly servers: string | null;
  /** The capabilities as a JSON array. */
  readonly capabilities: string;
  /** The tags as a JSON array; `account_tag` has them as rows, for searches. */
  readonly tags: string;
  /** The generation of the account's ids; null if an earlier release or a sign-in added the account. */
  readonly id_generation: string | null;
  /** The followed folders: `inbox` or `all`; null for the deployment's setting. */
  readonly follow: string | null;
  readonly created_at: number;
  readonly last_seen_at: number | null;
}
