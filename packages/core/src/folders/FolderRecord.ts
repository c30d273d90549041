/** What we remember of a folder so that its id outlives renames (spec 4). */
export interface FolderRecord {
  readonly id: string;
  readonly path: string;
  readonly mailboxId: string | null;
  /** Null for `\Noselect` names. */
  readonly uidValidity: number | null;
  readonly uidNext: number | null;
  /** When we made it, or first saw it: epoch milliseconds. */
  readonly createdAt: number;
}
