/** Returns the URL of a message part, relative to the service's base URL. */
export const attachmentPath = (id: string, section: string): string =>
  `/api/messages/${encodeURIComponent(id)}/attachments/${encodeURIComponent(section)}`;
