import type { MailEvent } from "@postern/core/events";
import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../../Cluster.ts";
import { SECOND } from "../../durations.ts";

/** The folders whose messages may move; Sent and Drafts have events of their own. */
export const MOVABLE = ["INBOX", "Archive", "Junk", "Trash"] as const;
export type FolderName = (typeof MOVABLE)[number] | "Sent" | "Drafts";

/** A message as the model knows it; its subject names it. */
export interface FollowedMessage {
  readonly subject: string;
  /** Null in messages that have none: they have equal sizes, and each has an INTERNALDATE of its own. */
  readonly messageId: string | null;
  readonly raw: Uint8Array;
  folder: FolderName;
  flags: ReadonlyArray<string>;
  /** Whether it changed since events were last compared. Each message changes once, so that one event is promised. */
  isTouched: boolean;
  /** Whether another folder has a copy. */
  isCopied: boolean;
}

/** An event, without what depends on the run: its type, its folders and what it says of the message. */
export interface Told {
  readonly type: string;
  readonly folder: string;
  /** The folder that a moved message left. */
  readonly from: string | undefined;
  readonly text: string;
}

const NAMES = [
  ["unread", "\\Seen"],
  ["flagged", "\\Flagged"],
  ["answered", "\\Answered"],
] as const;
const labels = (flags: ReadonlyArray<string>) => flags.filter((flag) => !flag.startsWith("\\"));

/** The messages of a followed account, and the events that the specification promises for each change. */
export class FollowModel {
  readonly account: AccountId;
  /** Whether all folders are followed, or only INBOX. */
  readonly isAll: boolean;
  readonly messages: Array<FollowedMessage> = [];
  /** The messages that left, which another program may bring back. */
  readonly left: Array<FollowedMessage> = [];
  readonly #departures = new Map<string, number>();
  /** The subjects of messages by the ids that events gave. */
  readonly subjects = new Map<string, string>();
  /** The subjects of messages that Postern moved into INBOX since events were last compared, and the ids of such moves before. */
  readonly silent = new Set<string>();
  readonly silentMoves = new Set<string>();
  /** The number of messages that will leave during the poll that finds them. */
  passing = 0;
  /** Whether no node runs. */
  isOutage = false;
  /** The subjects of the messages of a backlog since events were last compared, unless a folder got a new UIDVALIDITY. */
  readonly backlog = new Set<string>();
  isRenumbered = false;
  /** The INTERNALDATEs of messages without a Message-ID: servers keep seconds. */
  readonly #dates = new Set<number>();
  readonly #told = new Map<string, Told>();
  /** The events that are promised since events were last compared. */
  promised: Array<Told> = [];
  readonly #cluster: Cluster;
  #count = 0;

  constructor(cluster: Cluster, account: AccountId, isAll: boolean) {
    this.#cluster = cluster;
    this.account = account;
    this.isAll = isAll;
  }

  mailbox(folder: FolderName) {
    return this.#cluster.mail.account(this.account).mailbox(folder);
  }

  uidOf({ subject, folder }: FollowedMessage): number {
    return this.mailbox(folder).messages.find(({ summary }) => summary.subject === subject)!.uid;
  }

  /** Promises an event of a message. */
  promise(
    type: string,
    one: FollowedMessage,
    folder: FolderName,
    more: ReadonlyArray<string> = [],
    from?: string,
  ): void {
    if (!this.isAll && folder !== "INBOX") return;
    const isDraft = folder === "Drafts" && type !== "email.moved";
    this.promised.push({
      type: isDraft ? "draft.changed" : type === "email.received" && folder === "Sent" ? "email.sent" : type,
      folder,
      from,
      text: [one.subject, ...(isDraft ? (type === "email.deleted" ? ["removed"] : []) : more)].join(" "),
    });
  }

  /** Returns a new message, by default with a Message-ID of its own; `longer` makes it longer than all with the default. */
  write(
    folder: FolderName,
    flags: ReadonlyArray<string>,
    messageId: string | null = `<followed-${this.#count + 1}@far.test>`,
    longer = 0,
  ): FollowedMessage {
    const number = ++this.#count;
    const subject = messageId === null ? `nameless-${1_000 + number}` : `followed-${number}`;
    const name = messageId === null ? "" : `Message-ID: ${messageId}\r\n`;
    const words = messageId === null ? 3 : (number % 7) + longer;
    const text = `${name}From: A Friend <friend@far.test>\r\nTo: ${this.account}, other@far.test\r\nSubject: ${subject}\r\n\r\n${"hello ".repeat(words)}\r\n`;
    const raw = new TextEncoder().encode(text);
    return { subject, messageId, raw, folder, flags, isTouched: true, isCopied: false };
  }

  /** Stores a message like another program, which is announced; `isReturning` if it was there before. */
  arrive(one: FollowedMessage): void {
    const { raw, folder, flags } = one;
    const { now } = this.#cluster.timeline;
    let arrivedAt = one.messageId === null ? now - (now % SECOND) : now;
    if (one.messageId === null) for (; this.#dates.has(arrivedAt); arrivedAt -= SECOND);
    this.#dates.add(arrivedAt);
    this.mailbox(folder).append(raw, arrivedAt, flags);
    one.isTouched = true;
    this.messages.push(one);
    this.received(one, folder);
  }

  /** Promises the arrival of a message in a folder. */
  received(one: FollowedMessage, folder: FolderName): void {
    const count = this.#departures.get(one.subject) ?? 0;
    if ((this.isAll || folder === "INBOX") && folder !== "Sent" && folder !== "Drafts") {
      this.#departures.set(one.subject, Math.max(0, count - 1));
    }
    const isRead = one.flags.includes("\\Seen");
    const marks = [...(count > 0 ? ["returned"] : []), ...(this.isOutage ? ["backfill"] : [])];
    const about = folder === "Sent" ? ["mailbox"] : [isRead ? "read" : "unread", ...marks];
    this.promise("email.received", one, folder, about);
  }

  /** Whether a message left a followed folder and may come back. */
  hasLeft({ subject }: FollowedMessage): boolean {
    return (this.#departures.get(subject) ?? 0) > 0;
  }

  /** Promises the departure of a message from its folder. */
  departed(one: FollowedMessage, folder: FolderName): void {
    this.promise("email.deleted", one, folder);
    if (this.isAll || folder === "INBOX")
      this.#departures.set(one.subject, (this.#departures.get(one.subject) ?? 0) + 1);
  }

  /** Promises a move; `isOwn`: by Postern, whose moves into INBOX are no arrivals. */
  moved(one: FollowedMessage, to: FolderName, isOwn: boolean, flags = one.flags): void {
    const from = one.folder;
    one.folder = to;
    one.isTouched = true;
    if (this.isAll) return this.promise("email.moved", one, to, [flags.includes("\\Seen") ? "read" : "unread"], from);
    if (from === "INBOX") this.departed(one, from);
    else if (!isOwn) this.received(one, to);
  }

  /** Promises a change of flags and labels. */
  flagged(one: FollowedMessage, flags: ReadonlyArray<string>): void {
    const before = one.flags;
    one.flags = flags;
    one.isTouched = true;
    const changed = NAMES.flatMap(([name, flag]) => (before.includes(flag) === flags.includes(flag) ? [] : [name]));
    const others = labels([...before, ...flags]).filter((label) => before.includes(label) !== flags.includes(label));
    const all = [...changed, ...others.map((label) => `label:${label}`)];
    if (all.length === 0) return;
    const state = [...NAMES.map(([, flag]) => flags.includes(flag)), labels(flags).toSorted().join(",")];
    this.promise("email.flags_changed", one, one.folder, [all.toSorted().join(","), ...state.map(String)]);
  }

  /** Forgets the ids of a message. */
  forget(one: FollowedMessage): void {
    for (const [id, subject] of this.subjects) if (subject === one.subject) this.subjects.delete(id);
  }

  /** Returns what an event says. */
  told(event: MailEvent): Told {
    const told = this.#told.get(event.id) ?? this.#read(event);
    this.#told.set(event.id, told);
    return told;
  }

  #read({ type, body }: MailEvent): Told {
    const { data } = JSON.parse(new TextDecoder().decode(body));
    const subject = data.subject || this.subjects.get(data.id) || `the unknown message ${data.id}`;
    if (data.subject) this.subjects.set(data.id, data.subject);
    const isFlags = type === "email.flags_changed";
    const more = isFlags
      ? [data.changed.toSorted().join(","), !data.unread, data.flagged, data.answered, data.labels.toSorted().join(",")]
      : type === "email.received" || type === "email.moved"
        ? [
            data.unread ? "unread" : "read",
            ...(data.returned === true ? ["returned"] : []),
            ...(data.backfill === true ? ["backfill"] : []),
          ]
        : [...(data.source === undefined ? [] : [data.source]), ...(data.removed === true ? ["removed"] : [])];
    const marks = data.moved === true ? ["moved"] : [];
    return { type, folder: data.folder, from: data.fromFolder, text: [subject, ...more, ...marks].join(" ") };
  }
}

/** Returns an event in one line. */
export const lineOf = ({ type, folder, from, text }: Told): string =>
  [type, folder, ...(from === undefined ? [] : [`from ${from}`]), text].join(" ");
