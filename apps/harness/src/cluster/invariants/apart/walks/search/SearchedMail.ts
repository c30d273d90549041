import type { FolderEntry } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { FOLDERS, inOrder, type KnownMail, knownMail } from "../../../mail/known-mail.ts";

/** A time longer than any search, in milliseconds. */
const SLOW = 30_000;

/** The messages of an account that is searched, and the folders whose search takes too long. */
export class SearchedMail {
  readonly account: AccountId;
  all: ReadonlyArray<KnownMail>;
  readonly slow = new Set<string>();
  readonly #cluster: Cluster;
  readonly #visit: Visit;
  #count = 0;

  constructor(visit: Visit, cluster: Cluster, account: AccountId) {
    this.#visit = visit;
    this.#cluster = cluster;
    this.account = account;
    this.all = knownMail(account, visit.now);
    for (const one of this.all) this.#store(one);
  }

  mailbox(folder: string) {
    return this.#cluster.mail.account(this.account).mailbox(folder);
  }

  #store({ folder, raw, arrivedAt, flags }: KnownMail): number {
    return this.mailbox(folder).append(raw, arrivedAt, flags).uid;
  }

  /** Makes the search of a folder slow, or fast again. */
  slowDown(folder: string, isSlow: boolean): void {
    this.mailbox(folder).searchMillis = isSlow ? SLOW : 0;
    if (isSlow) this.slow.add(folder);
    else this.slow.delete(folder);
  }

  speedUp(): void {
    for (const folder of FOLDERS) this.slowDown(folder, false);
  }

  /** Another program changes a message, deletes it or stores another one; returns the Message-IDs that this concerns. */
  change(): ReadonlyArray<string> {
    const { random } = this.#cluster;
    const one = random.pick(this.all);
    if (one === undefined || (random.chance(0.4) && this.all.length < 20)) return [this.#arrive()];
    if (this.all.length > 8 && random.chance(0.5)) {
      this.mailbox(one.folder).expunge([one.uid]);
      this.all = this.all.filter((other) => other !== one);
      return [one.id];
    }
    const [flags, labels] = [random.some(["\\Seen", "\\Flagged"], 1), random.some(["Travel", "work"], 1)];
    this.mailbox(one.folder).find(one.uid)!.flags = [...flags, ...labels];
    this.all = this.all.map((other) => (other === one ? { ...one, flags: [...flags, ...labels], labels } : other));
    return [one.id];
  }

  #arrive(): string {
    const { random } = this.#cluster;
    const like = random.pick(knownMail(this.account, this.#visit.now))!;
    const id = `<later-${++this.#count}@far.test>`;
    const [folder, text] = [random.pick(FOLDERS)!, like.text.replace(like.id, id)];
    const arrivedAt = Math.floor(this.#visit.now / 1_000) * 1_000;
    const one = { ...like, id, folder, text, raw: new TextEncoder().encode(text), arrivedAt };
    this.all = [...this.all, { ...one, uid: this.#store(one) }];
    return id;
  }

  /** A label in the spelling of its folder, which is that of its first use there. */
  #spelled(folder: string, label: string): string {
    const known = [...this.mailbox(folder).keywords];
    return known.find((one) => one.toLowerCase() === label.toLowerCase()) ?? label;
  }

  /** The messages that match, in the order of a search. */
  found(holds: (mail: KnownMail) => boolean, order: "folder" | "date"): ReadonlyArray<KnownMail> {
    return inOrder(this.all.filter(holds), order);
  }

  /** Compares a result with the message that it shows. */
  check({ path, message }: FolderEntry): void {
    const one = this.all.find(({ id }) => id === message.messageId);
    const { subject, from, to, cc, unread, flagged, labels, size, attachments, arrivedAt } = message;
    this.#visit.same(
      [
        path,
        subject,
        from?.address,
        to[0]?.address,
        cc[0]?.address,
        unread,
        flagged,
        labels,
        size,
        attachments.length > 0,
        arrivedAt,
      ],
      one && [
        one.folder,
        one.subject,
        one.from,
        one.to,
        one.cc,
        !one.flags.includes("\\Seen"),
        one.flags.includes("\\Flagged"),
        one.labels.map((label) => this.#spelled(one.folder, label)),
        one.raw.length,
        one.hasAttachments,
        one.arrivedAt,
      ],
      `a result about ${message.messageId}`,
    );
  }
}

export const idsOf = (mails: ReadonlyArray<KnownMail>): ReadonlyArray<string> => mails.map(({ id }) => id);
export const unreadOf = (mails: ReadonlyArray<KnownMail>): number =>
  mails.filter(({ flags }) => !flags.includes("\\Seen")).length;
