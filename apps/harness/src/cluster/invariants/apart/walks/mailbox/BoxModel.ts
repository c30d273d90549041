import type { InboxEntry, MessageActions } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";

/** The folders of the account, in the order in which all its messages are listed. */
export const PLACES = ["INBOX", "Archive", "Junk", "Trash"] as const;
export type PlaceName = (typeof PLACES)[number];

/** A message as the model knows it. Its subject names it, because several messages may have one Message-ID. */
export interface BoxMessage {
  readonly subject: string;
  readonly messageId: string;
  place: PlaceName;
  unread: boolean;
  flagged: boolean;
  answered: boolean;
  /** In lower case. */
  labels: ReadonlyArray<string>;
  /** The id that was shown first since the message got its present location from another program; null if none was. */
  id: string | null;
  /**
   * The folders to which Postern may have failed to move the message, or another one with its Message-ID. Postern looks for it
   * there, because some answers are lost: it cannot tell another program's move, or a later message like it, from its own move.
   */
  readonly sought: Set<PlaceName>;
}

type Change = Parameters<MessageActions["Service"]["change"]>[2];
export type BoxFlags = Pick<BoxMessage, "unread" | "flagged" | "answered" | "labels">;

const fold = (labels: ReadonlyArray<string> = []) => labels.map((label) => label.toLowerCase());

/** What the specification promises of the messages of an account: their places, flags, labels and ids. */
export class BoxModel {
  readonly account: AccountId;
  readonly messages: Array<BoxMessage> = [];
  /** Ids that open nothing any more. */
  readonly ended: Array<string> = [];
  /** What INBOX held, with the beginning and the end of that time. */
  readonly inboxes: Array<{ text: string; until: number }> = [];
  /** The ids of the folders. */
  readonly ids = new Map<PlaceName, string>([
    ["INBOX", "inbox"],
    ["Junk", "junk"],
    ["Trash", "trash"],
  ]);
  readonly #cluster: Cluster;
  readonly #visit: Visit;
  #count = 0;

  constructor(visit: Visit, cluster: Cluster, account: AccountId) {
    this.account = account;
    this.#cluster = cluster;
    this.#visit = visit;
  }

  mailbox(place: string) {
    return this.#cluster.mail.account(this.account).mailbox(place);
  }

  /** Stores a message in a folder, like another program; with the Message-ID of `like`, if given. */
  store(place: PlaceName, flags: ReadonlyArray<string>, like?: BoxMessage): void {
    const subject = `message ${String(++this.#count).padStart(3, "0")}`;
    const messageId = like?.messageId ?? `<walked-${this.#count}@far.test>`;
    const text = `Message-ID: ${messageId}\r\nFrom: Friend <friend@far.test>\r\nTo: ${this.account}\r\nSubject: ${subject}\r\n\r\nthe text of ${subject}\r\n`;
    this.mailbox(place).append(new TextEncoder().encode(text), this.#cluster.timeline.now, flags);
    this.messages.push({
      subject,
      messageId,
      place,
      unread: !flags.includes("\\Seen"),
      flagged: flags.includes("\\Flagged"),
      answered: flags.includes("\\Answered"),
      labels: fold(flags.filter((flag) => !flag.startsWith("\\"))),
      id: null,
      sought: like?.sought ?? new Set(),
    });
  }

  /** The message's UID on the server. */
  uidOf({ subject, place }: BoxMessage): number | undefined {
    return this.mailbox(place).messages.find(({ summary }) => summary.subject === subject)?.uid;
  }

  /** When a message arrived, in epoch milliseconds. */
  arrivalOf(subject: string): number {
    const stored = PLACES.flatMap((place) => this.mailbox(place).messages);
    return stored.find(({ summary }) => summary.subject === subject)?.arrivedAt ?? 0;
  }

  /** The messages in a folder, latest arrival first; the server knows their order. */
  in(place: PlaceName): ReadonlyArray<BoxMessage> {
    const here = new Map(this.messages.filter((one) => one.place === place).map((one) => [one.subject, one]));
    const stored = this.mailbox(place).messages.map(({ summary }) => summary.subject);
    const isSame = stored.length === here.size && stored.every((subject) => here.has(subject));
    this.#visit.expect(isSame, `${place} holds ${stored.join(", ")}, not ${[...here.keys()].join(", ")}`);
    return stored.toReversed().flatMap((subject) => here.get(subject) ?? []);
  }

  /** The messages whose ids were shown. */
  get known(): ReadonlyArray<BoxMessage> {
    return this.messages.filter(({ id }) => id !== null);
  }

  /** Returns the ids of messages for a batch, which may also name unknown ids, and one twice. */
  idsOf(some: ReadonlyArray<BoxMessage>): ReadonlyArray<string> {
    const { random } = this.#cluster;
    const ids = [...some.map(({ id }) => id!), ...random.some(["unknown", ...this.ended], 1)];
    return random.chance(0.3) ? [...ids, ids[0]!] : ids;
  }

  /** Returns the promised outcomes of a batch. */
  outcomesOf(ids: ReadonlyArray<string>, isGone: boolean) {
    return ids.map((id) => {
      const found = this.messages.some((one) => one.id === id);
      return { id, found, newId: found && !isGone ? id : null };
    });
  }

  apply(one: BoxMessage, change: Change): void {
    one.unread = change.unread ?? one.unread;
    one.flagged = change.flagged ?? one.flagged;
    one.answered = change.answered ?? one.answered;
    const removed = new Set(fold(change.removeLabels));
    one.labels = [...new Set([...one.labels, ...fold(change.addLabels)])].filter((label) => !removed.has(label));
  }

  /** Deletes a message like another program. */
  expunge(one: BoxMessage): void {
    this.mailbox(one.place).expunge([this.uidOf(one)!]);
    this.remove(one);
  }

  /** Ends the id of a message. */
  endId(one: BoxMessage): void {
    if (one.id !== null) this.ended.push(one.id);
    one.id = null;
  }

  remove(one: BoxMessage): void {
    this.endId(one);
    this.messages.splice(this.messages.indexOf(one), 1);
  }

  /** Compares an entry with the model, and learns its id. */
  check({ id, message }: InboxEntry, where: string): void {
    const one = this.messages.find(({ subject }) => subject === message.subject);
    if (one === undefined) return this.#visit.expect(false, `${where} shows ${message.subject}, which is gone`);
    const isUsed = this.ended.includes(id) || this.messages.some((other) => other !== one && other.id === id);
    this.#visit.expect(!isUsed, `${where} gives ${one.subject} the id of another message`);
    one.id ??= id;
    this.#visit.same(
      [id, message.messageId, message.from?.address, ...textOf(message)],
      [one.id, one.messageId, "friend@far.test", ...textOf(one)],
      `${one.subject} in ${where}`,
    );
  }

  /** What INBOX holds. */
  get inbox(): string {
    return JSON.stringify(this.in("INBOX").map((one) => [one.subject, ...textOf(one)]));
  }

  /** Notes what INBOX holds since `since`, in epoch milliseconds, and checks that the server holds what was promised. */
  note(): void {
    for (const place of PLACES) {
      for (const one of this.in(place)) {
        const { summary } = this.mailbox(place).messages.find((other) => other.summary.subject === one.subject)!;
        this.#visit.same(textOf(summary), textOf(one), `${one.subject} on the mail server`);
      }
    }
    const text = this.inbox;
    const last = this.inboxes.at(-1);
    if (last?.text === text) last.until = Infinity;
    else this.inboxes.push({ text, until: Infinity });
  }

  /** Notes that INBOX may change from now on. */
  leave(): void {
    const last = this.inboxes.at(-1);
    if (last !== undefined) last.until = this.#cluster.timeline.now;
  }
}

/** The flags and labels of a message. */
export const textOf = ({ unread, flagged, answered, labels }: BoxFlags) => [
  unread,
  flagged,
  answered,
  fold(labels).toSorted().join(" "),
];
