/** The tables of `watch`. */
export interface WatchTables {
  readonly followed_mailbox: FollowedMailboxRow;
  readonly seen_message: SeenMessageRow;
  readonly expected_message: ExpectedMessageRow;
  readonly left_message: LeftMessageRow;
  readonly moved_message: MovedMessageRow;
  readonly begun_move: BegunMoveRow;
  readonly account_watch: AccountWatchRow;
  readonly node: NodeRow;
  readonly sender_block: SenderBlockRow;
}

export interface SenderBlockRow {
  readonly id: string;
  readonly account: string;
  readonly address_key: string;
  readonly address: string;
  readonly created_at: number;
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
  /** The UID from which on, to below `uid_next`, all messages are in `seen_message`; 1 if all messages are. */
  readonly seen_from: number;
}

export interface SeenMessageRow extends FingerprintRow {
  readonly uid: number;
  /** The sum of 1 for unread, 2 for flagged and 4 for answered. */
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

export interface MovedMessageRow {
  readonly account: string;
  readonly folder_id: string;
  readonly uid_validity: number;
  readonly uid: number;
  readonly to_folder_id: string;
  readonly to_uid_validity: number;
  readonly to_uid: number;
  readonly moved_at: number;
  /**
   * The location that the id encodes; null, like the two columns below, in rows of a release that gave a moved message
   * another id.
   */
  readonly id_folder_id: string | null;
  readonly id_uid_validity: number | null;
  readonly id_uid: number | null;
}

export interface BegunMoveRow extends FingerprintRow {
  readonly uid_validity: number;
  readonly uid: number;
  readonly to_folder_id: string;
  readonly lowest_uid: number;
  readonly begun_at: number;
}

export interface NodeRow {
  readonly id: string;
  readonly alive_until: number;
  /** The names of the node's sealing keys, separated by commas; null for a release that does not report them. */
  readonly sealing_keys: string | null;
}

export interface AccountWatchRow {
  readonly account: string;
  readonly wanted_until: number;
  /** The node that watches the account; null if there is none. */
  readonly owner: string | null;
  readonly lease_until: number;
  /** The epoch; begins with the time and grows with each owner. */
  readonly epoch: number;
}
