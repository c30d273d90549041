/** The tables of `watch`. */
export interface WatchTables {
  readonly followed_mailbox: FollowedMailboxRow;
  readonly seen_message: SeenMessageRow;
  readonly expected_message: ExpectedMessageRow;
  readonly left_message: LeftMessageRow;
  readonly account_watch: AccountWatchRow;
  readonly node: NodeRow;
}

export interface FingerprintRow {
  readonly account: string;
  readonly folder_id: string;
  readonly email_id: string | null;
  readonly message_id: string | null;
  readonly size: number;
  readonly arrived_at: number;
}

export interface FollowedMailboxRow {
  readonly account: string;
  readonly folder_id: string;
  readonly uid_validity: number;
  readonly uid_next: number;
  readonly highest_mod_seq: number | null;
  /** All messages from this UID to below `uid_next` are in `seen_message`; 1 if all messages are. */
  readonly seen_from: number;
}

export interface SeenMessageRow extends FingerprintRow {
  readonly uid: number;
  /** 1 unread, 2 flagged, 4 answered. */
  readonly flags: number;
  /** The labels, one on each line; null for a message recorded by a release without labels. */
  readonly labels: string | null;
}

export interface ExpectedMessageRow extends FingerprintRow {
  readonly id: string;
  readonly expires_at: number;
}

export interface LeftMessageRow extends FingerprintRow {
  readonly id: string;
  readonly left_at: number;
}

export interface NodeRow {
  readonly id: string;
  readonly alive_until: number;
  /** The names of its sealing keys, separated by commas; null for a release that does not report them. */
  readonly sealing_keys: string | null;
}

export interface AccountWatchRow {
  readonly account: string;
  readonly wanted_until: number;
  /** Null if no node watches the account. */
  readonly owner: string | null;
  readonly lease_until: number;
  /** Starts as the time and grows with each owner. */
  readonly epoch: number;
}
