import { openConversation } from "@postern/testkit";

/** A message as a mail server stores it. */
export interface StoredMail {
  readonly uid: number;
  readonly flags: string;
  /** As Latin-1: one character per byte. */
  readonly raw: string;
}

/** Another mail program with an account open, over plain IMAP. */
export type MailboxView = Awaited<ReturnType<typeof mailboxView>>;

const FETCHED = /^\* \d+ FETCH \(UID (\d+) FLAGS \(([^)]*)\) BODY\[\] \{(\d+)\}\r\n/gm;

/** Signs in to a mail server on the loopback. */
export const mailboxView = async (port: number, user: string, password: string) => {
  const { command, close } = await openConversation("127.0.0.1", port, user, password);
  const select = (path: string) => command("SELECT", path);
  return {
    close,
    /** The messages of a folder. */
    messages: async (path: string): Promise<ReadonlyArray<StoredMail>> => {
      await select(path);
      const answer = await command("UID FETCH 1:* (UID FLAGS BODY.PEEK[])");
      return [...answer.matchAll(FETCHED)].map(({ index, 0: head, 1: uid, 2: flags, 3: length }) => ({
        uid: Number(uid),
        flags: flags!,
        raw: answer.slice(index + head.length, index + head.length + Number(length)),
      }));
    },
    append: async (path: string, raw: string): Promise<void> =>
      void (await command("APPEND", path, "(\\Draft \\Seen)", Buffer.from(raw, "latin1"))),
    /** Deletes a message; returns whether it was there. */
    remove: async (path: string, uid: number): Promise<boolean> => {
      await select(path);
      await command(`UID STORE ${uid} +FLAGS.SILENT (\\Deleted)`);
      return /^\* \d+ EXPUNGE/m.test(await command(`UID EXPUNGE ${uid}`));
    },
    /** Moves a message; returns whether it was there. */
    move: async (path: string, uid: number, to: string): Promise<boolean> => {
      await select(path);
      return /COPYUID/.test(await command(`UID MOVE ${uid} ${to}`));
    },
    create: (path: string): Promise<string> => command("CREATE", path),
  };
};

/** Returns a header field of a message, unfolded; empty if it has none. */
export const fieldOf = (raw: string, name: string): string =>
  new RegExp(`^${name}:((?:[^\\r\\n]|\\r\\n[ \\t])*)`, "im")
    .exec(raw.slice(0, raw.indexOf("\r\n\r\n")))?.[1]!
    .replaceAll("\r\n", "")
    .trim() ?? "";
