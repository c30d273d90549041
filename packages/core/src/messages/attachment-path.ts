/** Returns the path of a message part, below the prefix of the service. */
export const attachmentPath = (prefix: string, id: string, section: string): string =>
  `${prefix}/api/messages/${encodeURIComponent(id)}/attachments/${encodeURIComponent(section)}`;
