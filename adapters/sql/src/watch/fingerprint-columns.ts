import type { Fingerprint } from "@postern/core/watch";
import type { FingerprintRow } from "../tables/watch.ts";

/** Returns the fingerprint in a row. */
export const fingerprintOf = (row: FingerprintRow): Fingerprint => ({
  emailId: row.email_id,
  messageId: row.message_id,
  size: row.size,
  arrivedAt: row.arrived_at,
});

/** Replaces NUL, which PostgreSQL refuses in text. */
export const replaceNul = (text: string | null): string | null => text?.replaceAll("\0", "\uFFFD") ?? null;

/** Returns the columns of a fingerprint in a mailbox. */
export const columnsOf = (account: string, folderId: string, one: Fingerprint) => ({
  account,
  folder_id: folderId,
  email_id: replaceNul(one.emailId),
  message_id: replaceNul(one.messageId),
  size: one.size,
  arrived_at: one.arrivedAt,
});
