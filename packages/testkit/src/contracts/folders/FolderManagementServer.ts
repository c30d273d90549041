/** How the server under test differs from others, as far as managing folders shows it. */
export interface FolderManagementServer {
  /** Whether the server has MAILBOXID, so that ids are known through whatever others do. */
  readonly objectIds?: boolean;
  /** Whether it has MOVE: without, a cut may leave a message in two folders until the removal is finished. */
  readonly move?: boolean;
  /** Whether a name may only hold others. */
  readonly noselect?: boolean;
  /** Each call is cut on the fake; a slower server is cut at every nth. */
  readonly cutEvery?: number;
}
