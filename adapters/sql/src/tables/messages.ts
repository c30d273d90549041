/** The tables of `messages`. */
export interface MessagesTables {
  readonly moved_message: MovedMessageRow;
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
