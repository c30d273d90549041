/** The properties of the server under test that affect folder management. */
export interface FolderManagementServer {
  /** Whether the server has MAILBOXID, so that ids survive any change by other clients. */
  readonly objectIds?: boolean;
  /**
   * Whether the server has MOVE. Without MOVE, an interruption may leave a message in two folders until the removal is
   * finished.
   */
  readonly move?: boolean;
  /** Whether the server supports folders that contain only other folders. */
  readonly noselect?: boolean;
  /** The interval of interrupted calls: every call on the fake, fewer on slower servers. */
  readonly cutEvery?: number;
}
