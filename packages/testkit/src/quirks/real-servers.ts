import type { Profile } from "./Profile.ts";

/** Real mail servers that the tests start, with the features that a mailbox lacks on them. */
export const REAL_SERVERS: ReadonlyArray<Omit<Profile, "quirks">> = [
  {
    name: "courier",
    server: "Courier 5.0",
    degrades: {
      MailLogin: { because: "Courier's sign-in asks a daemon that only root can start", isNotRun: true },
      MailboxTree: {
        because:
          "roles by localized names, because the server marks no special folders; a folder that another program renames gets a new id, because its UIDVALIDITY changes",
        tests: /^follows folders being created, renamed/,
      },
      MailboxReader: {
        because:
          'a message that is removed while a listing is read is listed as "message unavailable", the server\'s text; the server shows 300 parts of a message, so at most 299 attachments',
        tests: /^keeps the positions of an open view|^has the first attachments/,
      },
      MailboxChanges: {
        because: "renaming a folder that another program just removed has no effect and no error",
        tests: /^renames a mailbox/,
      },
      MessageReader: {
        because:
          "parts without an encoding are reported as 8bit, attached messages end with an added empty line, and a message that is deleted while it is read is read to its end",
        tests:
          /^fetches the beginnings|^returns a message's structure|^streams decoded parts|^fails when a message is deleted/,
      },
    },
  },
];
