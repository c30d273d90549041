import { connectImap, type Mailbox } from "../load/connect-imap.ts";

/** The number of folders in the mailbox, including INBOX and Trash. */
export const FOLDERS = 45;
/** The number of messages in each other folder, and of those in the conversation. */
const MESSAGES = 3;
export const CONVERSATION = 5;

const HEADER = "From: Ann <ann@sender.test>\r\nMIME-Version: 1.0\r\n";

/** A message of the conversation: the first, or an answer to it. */
const inConversation = (n: number): string => {
  const answer = n === 0 ? "" : "In-Reply-To: <plan@sender.test>\r\nReferences: <plan@sender.test>\r\n";
  return `${HEADER}Message-ID: <plan${n === 0 ? "" : n}@sender.test>\r\n${answer}Subject: plan\r\n\r\nWords.\r\n`;
};

const withFile = (n: number): string =>
  `${HEADER}Message-ID: <file${n}@sender.test>\r\nSubject: with a file\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n` +
  "--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/pdf\r\n" +
  `Content-Disposition: attachment; filename="file.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n`;

/**
 * Fills an empty mailbox: 45 folders, a conversation over INBOX and four others, and messages with an attachment in INBOX,
 * which are the newest.
 */
export const fillManyFolders = async (mailbox: Mailbox, files: number): Promise<void> => {
  const client = await connectImap(mailbox);
  await client.append("INBOX", inConversation(0));
  const others = Array.from({ length: FOLDERS - 1 }, (_, n) => (n === 0 ? "Trash" : `Folder ${n}`));
  for (const [n, folder] of others.entries()) {
    await client.mailboxCreate(folder);
    if (n > 0 && n < CONVERSATION) await client.append(folder, inConversation(n));
    for (let k = 0; k < MESSAGES; k++) {
      await client.append(
        folder,
        `${HEADER}Message-ID: <${n}.${k}@sender.test>\r\nSubject: report ${k}\r\n\r\nWords.\r\n`,
      );
    }
  }
  for (let n = 0; n < files; n++) await client.append("INBOX", withFile(n));
  await client.logout();
};
