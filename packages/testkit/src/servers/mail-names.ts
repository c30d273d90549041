/** Returns a mailbox name in modified UTF-7 (RFC 3501, 5.1.3). */
export const encodeMailboxName = (name: string): string =>
  name.replaceAll("&", "&-").replace(/[^\x20-\x7e]+/g, (run) => {
    const bytes = Buffer.from(run, "utf16le").swap16();
    return `&${bytes.toString("base64").replaceAll("/", ",").replace(/=+$/, "")}-`;
  });
