/** The properties of the server under test that affect folder management. */
export interface FolderManagementServer {
  /** Whether the server has MAILBOXID, so that ids survive any change by other clients. */
  readonly objectIds?: boolean;
  /**
   * Whether it has MOVE. Without it, an interruption may leave a message in two folders until the removal is finished.
   */
  readonly move?: boolean;
  /** Whether a folder may only hold folders. */
  readonly noselect?: boolean;
  /** Every nth call is interrupted: each one on the fake, fewer on slower servers. */
  readonly cutEvery?: number;
}
