import type { FolderRole, ListedMailbox } from "@postern/core/mail";
import type { ListResponse } from "imapflow";

const ROLES: Readonly<Record<string, FolderRole>> = {
  "\\Inbox": "inbox",
  "\\Sent": "sent",
  "\\Drafts": "drafts",
  "\\Trash": "trash",
  "\\Junk": "junk",
  "\\Archive": "archive",
};

/**
 * Converts a listing: INBOX first, then in imapflow's order, special folders before the rest by name (spec 4). If the
 * server marks special folders (RFC 6154), a folder gets no role only for its name, because the user may have created
 * the folder.
 */
export const listedMailboxes = (
  entries: ReadonlyArray<ListResponse>,
  mailboxIds: ReadonlyMap<string, string>,
  prefixOf: (path: string) => string,
  closed: ReadonlySet<ListResponse> = new Set(),
): ReadonlyArray<ListedMailbox> => {
  const marked = entries.some((entry) => entry.specialUseSource === "extension");
  const roles = new Set<FolderRole>();
  const paths = new Set<string>();
  const listed: Array<ListedMailbox> = [];
  for (const entry of entries) {
    if (paths.has(entry.path)) continue;
    paths.add(entry.path);
    let role = marked && entry.specialUseSource === "name" && entry.path !== "INBOX" ? null : roleOf(entry);
    if (role !== null && roles.has(role)) role = null;
    if (role !== null) roles.add(role);
    const mailbox: ListedMailbox = {
      path: entry.path,
      prefix: prefixOf(entry.path),
      delimiter: entry.delimiter || null,
      role,
      status: statusOf(entry, mailboxIds.get(entry.pathAsListed) ?? null),
      ...(closed.has(entry) ? { isClosed: true as const } : {}),
    };
    if (entry.path === "INBOX") listed.unshift(mailbox);
    else listed.push(mailbox);
  }
  return listed;
};

const roleOf = ({ specialUse }: ListResponse): FolderRole | null => ROLES[specialUse ?? ""] ?? null;

const statusOf = ({ status }: ListResponse, mailboxId: string | null): ListedMailbox["status"] =>
  status?.uidValidity === undefined
    ? null
    : {
        total: status.messages ?? 0,
        unread: status.unseen ?? 0,
        uidValidity: Number(status.uidValidity),
        uidNext: status.uidNext ?? null,
        mailboxId,
      };
