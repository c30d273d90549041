/** Where a part of a message can be fetched, below the service's address. */
export const attachmentPath = (id: string, section: string): string =>
  `/api/messages/${encodeURIComponent(id)}/attachments/${encodeURIComponent(section)}`;
