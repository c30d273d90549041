/** The stored identity of a folder, by which its id survives renames (spec 4). */
export interface FolderRecord {
  readonly id: string;
  readonly path: string;
  readonly mailboxId: string | null;
  /** Null for `\Noselect` names. */
  readonly uidValidity: number | null;
  readonly uidNext: number | null;
  /** When we created or first listed it, in epoch milliseconds. */
  readonly createdAt: number;
}
