import { createHash } from "node:crypto";

/** The messages of INBOX up to this UID form one conversation; every other message is a conversation of its own. */
const CONVERSATION = { id: "1500000000000000001", upTo: 3 };

/** A UID that no message has. */
const NOTHING = "UID 4294967295";

/** Returns a decimal number of 19 digits, like Gmail's ids. */
const numberOf = (text: string): string =>
  `1${(createHash("sha256").update(text).digest().readBigUInt64BE() % 10n ** 18n).toString().padStart(18, "0")}`;

const threadOf = (folder: string, uid: number): string =>
  isInbox(folder) && uid <= CONVERSATION.upTo ? CONVERSATION.id : numberOf(`${folder} ${uid}`);

const isInbox = (folder: string): boolean => folder.toUpperCase() === "INBOX";

/**
 * Translates a command of a client that uses X-GM-EXT-1 for a Dovecot: X-GUID, which copies keep, replaces X-GM-MSGID,
 * and keywords replace labels. If EXPUNGE only removes a label, the message goes to All Mail.
 */
export const withoutLabels = (command: string, folder: string, threads: ReadonlyMap<string, ReadonlySet<number>>) => {
  const archives = !/trash|spam|junk|all mail/i.test(folder);
  const uidsOf = (thread: string) => {
    const uids =
      isInbox(folder) && thread === CONVERSATION.id ? [1, 2, 3] : [...(threads.get(`${folder} ${thread}`) ?? [])];
    return uids.length === 0 ? NOTHING : `UID ${uids.join(",")}`;
  };
  return command
    .replace(/^(\S+ (?:UID )?STORE \S+ [+-])X-GM-LABELS(?:\.SILENT)? /i, "$1FLAGS.SILENT ")
    .replace(/(?<=SEARCH .*)X-GM-RAW "?label:([^" ]+)"?/i, "KEYWORD $1")
    .replace(/(?<=^\S+ (?:UID )?FETCH .*)X-GM-(?:MSGID|THRID|LABELS)(?: X-GM-(?:MSGID|THRID|LABELS))*/i, "X-GUID")
    .replace(/(?<=SEARCH .*)X-GM-THRID (\d+)/i, (_, thread: string) => uidsOf(thread))
    .replace(/^(\S+ )UID EXPUNGE (\S+)/i, (whole, tag: string, uids: string) =>
      archives ? `${tag}UID MOVE ${uids} "[Gmail]/All Mail"` : whole,
    );
};

/**
 * Returns a FETCH response with Gmail's ids and labels in place of X-GUID and keywords, and records the conversation of
 * the message.
 */
export const withLabels = (response: string, folder: string, threads: Map<string, Set<number>>): string => {
  const uid = Number(/^\* \d+ FETCH \(.*?\bUID (\d+)/i.exec(response)?.[1] ?? 0);
  return moveKeywords(response, folder).replace(/X-GUID "?([^" )]+)"?/i, (_, guid: string) => {
    if (uid === 0) return `X-GM-MSGID ${numberOf(guid)}`;
    const thread = threadOf(folder, uid);
    const key = `${folder} ${thread}`;
    threads.set(key, (threads.get(key) ?? new Set()).add(uid));
    return `X-GM-MSGID ${numberOf(guid)} X-GM-THRID ${thread}`;
  });
};

/**
 * Moves the keywords of a FETCH response to a request for X-GM- items to X-GM-LABELS, except for the flags among them.
 */
const moveKeywords = (response: string, folder: string): string => {
  if (!response.includes("X-GUID")) return response;
  return response.replace(/FLAGS \(([^)]*)\)/i, (_, flags: string) => {
    const all = flags.split(" ").filter((flag) => flag !== "");
    const labels = all.filter((flag) => !/^(?:\\|\$(?:Forwarded|MDNSent|Junk|NotJunk|Phishing)$)/i.test(flag));
    const own = isInbox(folder) ? ['"\\\\Inbox"', ...labels] : labels;
    return `FLAGS (${all.filter((flag) => !labels.includes(flag)).join(" ")}) X-GM-LABELS (${own.join(" ")})`;
  });
};
