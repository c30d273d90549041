import type { AccountId } from "@postern/core/shared";
import { ARCHIVE } from "../../world/folders.ts";

/** A message of a search, as the client that stored it knows it. */
export interface KnownMail {
  readonly id: string;
  readonly folder: string;
  readonly uid: number;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly subject: string;
  /** The header and the body. */
  readonly text: string;
  readonly raw: Uint8Array;
  readonly arrivedAt: number;
  readonly flags: ReadonlyArray<string>;
  readonly labels: ReadonlyArray<string>;
  readonly hasAttachments: boolean;
}

/** The criteria of a search in fields. */
export interface Criteria {
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly scope?: "headers" | "all";
  readonly messageId?: string;
  readonly since?: string;
  readonly before?: string;
  readonly larger?: number;
  readonly smaller?: number;
  readonly unread?: boolean;
  readonly flagged?: boolean;
  readonly hasAttachments?: boolean;
  readonly label?: string;
  readonly folder?: string;
}

/** The folders in the order in which a search lists their messages. */
export const FOLDERS = ["INBOX", ARCHIVE, "Junk", "Trash"];
const HOUR = 3_600_000;
const COUNT = 14;

/** Returns messages that differ in everything that a search can ask for; some arrived at the same time. */
export const knownMail = (account: AccountId, now: number): ReadonlyArray<KnownMail> => {
  const uids = new Map<string, number>();
  return Array.from({ length: COUNT }, (_, n): KnownMail => {
    const folder = FOLDERS[n % FOLDERS.length]!;
    const uid = (uids.get(folder) ?? 0) + 1;
    uids.set(folder, uid);
    const id = `<known-${n}@far.test>`;
    const from = n % 2 === 0 ? "anna@far.test" : "bert@far.test";
    const to = n % 3 === 0 ? "list@far.test" : account;
    const cc = n % 5 === 0 ? "carla@far.test" : "none@far.test";
    const subject = `${n % 3 === 1 ? "trip" : "work"} ${n % 4 === 2 ? "big plan" : "small"}`;
    const body = n % 4 === 3 ? "the plan of anna" : "nothing";
    const fields = `Message-ID: ${id}\r\nFrom: ${from}\r\nTo: ${to}\r\nCc: ${cc}\r\nSubject: ${subject}\r\n`;
    const hasAttachments = n % 6 === 5;
    const text = hasAttachments
      ? `${fields}Content-Type: multipart/mixed; boundary="edge"\r\n\r\n--edge\r\nContent-Type: text/plain\r\n\r\n${body}\r\n--edge\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: attachment; filename="a.pdf"\r\n\r\nfile\r\n--edge--\r\n`
      : `${fields}\r\n${body}\r\n`;
    const labels = n % 5 === 1 ? [n > 5 ? "TRAVEL" : "Travel"] : n % 7 === 2 ? ["work"] : [];
    const flags = [...(n % 3 === 0 ? ["\\Seen"] : []), ...(n % 4 === 0 ? ["\\Flagged"] : []), ...labels];
    const arrivedAt = Math.floor((now - (COUNT - (n - (n % 2))) * 7 * HOUR) / 1_000) * 1_000;
    return {
      id,
      folder,
      uid,
      from,
      to,
      cc,
      subject,
      text,
      raw: new TextEncoder().encode(text),
      arrivedAt,
      flags,
      labels,
      hasAttachments,
    };
  });
};

/** Returns messages in the order of a search. */
export const inOrder = (some: ReadonlyArray<KnownMail>, order: "folder" | "date"): ReadonlyArray<KnownMail> =>
  some.toSorted((one, other) => {
    const byFolder = FOLDERS.indexOf(one.folder) - FOLDERS.indexOf(other.folder) || other.uid - one.uid;
    return order === "folder" ? byFolder : other.arrivedAt - one.arrivedAt || byFolder;
  });

const has = (text: string, wanted: string | undefined): boolean =>
  wanted === undefined || text.toLowerCase().includes(wanted.toLowerCase());
const is = (state: boolean, wanted: boolean | undefined): boolean => wanted === undefined || state === wanted;
/** Returns the first instant of a day, or an instant. */
const timeOf = (text: string): number => Date.parse(text);

/** Returns whether a message matches all criteria. */
export const matches = (mail: KnownMail, criteria: Criteria): boolean => {
  const { from, to, cc, subject, text, scope, since, before, larger = 0, smaller = Infinity, label, folder } = criteria;
  const headers = [mail.from, mail.to, mail.cc, mail.subject].join("\n");
  return (
    has(mail.from, from) &&
    has(mail.to, to) &&
    has(mail.cc, cc) &&
    has(mail.subject, subject) &&
    has(scope === "headers" ? headers : mail.text, text) &&
    has(mail.id, criteria.messageId) &&
    (since === undefined || mail.arrivedAt >= timeOf(since)) &&
    (before === undefined || mail.arrivedAt < timeOf(before)) &&
    mail.raw.length > larger &&
    mail.raw.length < smaller &&
    is(!mail.flags.includes("\\Seen"), criteria.unread) &&
    is(mail.flags.includes("\\Flagged"), criteria.flagged) &&
    is(mail.hasAttachments, criteria.hasAttachments) &&
    (label === undefined || mail.labels.some((one) => one.toLowerCase() === label.toLowerCase())) &&
    (folder === undefined || mail.folder.toLowerCase() === folder.toLowerCase())
  );
};

/** Returns the Message-IDs of results. */
export const idsOfMail = (
  emails: ReadonlyArray<{ readonly message: { readonly messageId: string | null } }>,
): ReadonlyArray<string | null> => emails.map(({ message }) => message.messageId);
