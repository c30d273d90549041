import type { SearchCriteria } from "@postern/core";
import type { ImapFlow, SearchObject } from "imapflow";

/** The criteria as IMAP searches for them; none where the server cannot know of any such message. */
export const searchQuery = (client: ImapFlow, criteria: SearchCriteria): SearchObject | undefined => {
  const { unread, hasAttachments: _, threadId, related, since, before, ...rest } = criteria;
  if (threadId !== undefined && !client.capabilities.has("OBJECTID")) return undefined;
  if (related?.length === 0) return undefined;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...given,
    ...(unread === undefined ? {} : { seen: !unread }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(since === undefined ? {} : { since: new Date(`${since}T00:00:00Z`) }),
    ...(before === undefined ? {} : { before: new Date(`${before}T00:00:00Z`) }),
    ...(related === undefined ? {} : { or: related.flatMap(relations) }),
  };
};

const relations = (id: string): ReadonlyArray<SearchObject> => [
  { header: { "message-id": id } },
  { header: { references: id } },
  { header: { "in-reply-to": id } },
];
