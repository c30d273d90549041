/** A message as a listing, a copy or an opened id shows it. */
export interface ShownMessage {
  readonly id: string;
  readonly subject: string;
  readonly folderId: string;
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly answered: boolean;
  readonly labels: ReadonlyArray<string>;
}

/** Returns only these fields of a message. */
export const shownOf = ({ id, subject, folderId, unread, flagged, answered, labels }: ShownMessage): ShownMessage => ({
  id,
  subject,
  folderId,
  unread,
  flagged,
  answered,
  labels,
});
