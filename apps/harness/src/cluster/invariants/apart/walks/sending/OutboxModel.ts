import type { SendingKey } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../../Cluster.ts";
import { eventsOf, dataOf } from "../../../../events-of.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, MINUTE, SECOND } from "../../durations.ts";
import { ModelMessage } from "./ModelMessage.ts";
import { QuotaModel } from "./QuotaModel.ts";

/** The maximum delay of an attempt after it is due and nodes run, and how early an attempt may seem. */
const LATE = 17 * SECOND;
const EARLY = 100;
/** The age from which finished messages may be gone. */
const KEPT = 29 * DAY;
/** The limit of an account in a minute. */
export const PER_MINUTE = 20;

/** A service key, or one that was deleted. */
export interface ModelKey extends SendingKey {
  isDeleted: boolean;
}

/** The outboxes of accounts, the keys that requested messages, and the quotas, as the specification describes them. */
export class OutboxModel {
  readonly accounts: ReadonlyArray<AccountId>;
  readonly messages: Array<ModelMessage> = [];
  readonly keys: Array<ModelKey> = [];
  readonly suspended = new Set<string>();
  readonly #quotas = new QuotaModel();
  readonly #cluster: Cluster;
  readonly #visit: Visit;
  #seen = 0;
  /** The last time at which nodes ran and everything was compared. */
  #settledAt: number;

  constructor(visit: Visit, cluster: Cluster, accounts: ReadonlyArray<AccountId>) {
    this.#visit = visit;
    this.#cluster = cluster;
    this.accounts = accounts;
    this.#settledAt = visit.now;
  }

  /** The keys that may be used, and the messages that are still listed. */
  get usable(): ReadonlyArray<ModelKey> {
    return this.keys.filter((key) => !key.isDeleted && !this.suspended.has(key.application));
  }

  get listed(): ReadonlyArray<ModelMessage> {
    return this.messages.filter(({ createdAt }) => createdAt > this.#visit.now - KEPT);
  }

  get deadlines(): ReadonlyArray<number> {
    return this.messages.flatMap((one) => (one.isWaiting ? one.deadlines : []));
  }

  /** Returns how many more messages this sender may send now, by the limit of the account and of the key; undefined if both answers are right. */
  left(account: AccountId, by: SendingKey | null, now: number): { minute: number; day: number } | undefined {
    const minute = this.#quotas.left(account, MINUTE, PER_MINUTE, now);
    const day = by?.sendPerDay == null ? Infinity : this.#quotas.left(by.id, DAY, by.sendPerDay, now);
    return minute === undefined || day === undefined ? undefined : { minute, day };
  }

  /** Returns which quota a message of this sender exceeds: `SendRateExceeded`, `KeySendRateExceeded` or none; undefined if both are right. */
  excess(account: AccountId, by: SendingKey | null, now: number): string | null | undefined {
    const left = this.left(account, by, now);
    if (left === undefined) return undefined;
    return left.minute === 0 ? "SendRateExceeded" : left.day === 0 ? "KeySendRateExceeded" : null;
  }

  count(account: AccountId, by: SendingKey | null, now: number): void {
    this.#quotas.count(account, MINUTE, now);
    if (by?.sendPerDay != null) this.#quotas.count(by.id, DAY, now);
  }

  /** Follows the attempts that reached the server, and the messages whose time came; checks that none is early, late or wrong. */
  observe(): void {
    const { attempts } = this.#cluster.smtp;
    const visit = this.#visit;
    for (; this.#seen < attempts.length; this.#seen++) {
      const { envelopeId, at, recipients } = attempts[this.#seen]!;
      const message = this.messages.find(({ id }) => id === envelopeId);
      if (message === undefined) continue;
      const { subject, due, held } = message;
      visit.expect(held === null, `an attempt at ${subject}, which is held by ${held?.by}`);
      visit.expect(
        due !== null && at >= due - EARLY,
        `an attempt at ${subject} ${(due ?? 0) - at} ms before it is due`,
      );
      visit.same(recipients.toSorted(), message.waiting.toSorted(), `the recipients of an attempt at ${subject}`);
      message.attempted(at);
    }
    for (const message of this.messages) {
      message.endHold(visit.now);
      const { due, held, author, subject } = message;
      if (due === null || held !== null || due > visit.now) continue;
      const by = this.#holderOf(author);
      if (by !== null) message.hold(by, Math.max(due, this.#settledAt));
      else
        visit.expect(
          visit.now - Math.max(due, this.#settledAt) < LATE,
          `no attempt at ${subject}, due ${visit.now - due} ms ago`,
        );
    }
  }

  /** Notes that nodes run since before: what is due from now on is late if it waits. */
  ran(): void {
    this.#settledAt = this.#visit.now;
  }

  /** Whether a message may be on its way to the server. */
  isSending(): boolean {
    const isNow = (at: number) => Math.abs(this.#visit.now - at) < SECOND;
    return (
      isNow(this.#cluster.smtp.attempts.at(-1)?.at ?? 0) ||
      this.messages.some(({ due, held }) => due !== null && held === null && isNow(due))
    );
  }

  #holderOf(author: ModelMessage["author"]) {
    if (author === null) return null;
    if (this.keys.some(({ id, isDeleted }) => id === author.key && isDeleted)) return "key";
    return this.suspended.has(author.application) ? "suspension" : null;
  }

  /** Compares the events and the copies of all messages with those promised. */
  checkOutcomes(): void {
    const { smtp } = this.#cluster;
    for (const account of this.accounts) {
      const told = eventsOf(this.#cluster, account).map((event) => ({
        id: dataOf(event, "outboxId"),
        line: `${event.type} ${String(dataOf(event, "recipient") ?? "")}`.trim(),
        subject: dataOf(event, "subject"),
        messageId: dataOf(event, "messageId"),
      }));
      for (const message of this.messages) {
        if (message.account !== account || message.createdAt < this.#visit.now - 12 * DAY) continue;
        const { id, subject, messageId, events, recipients } = message;
        const mine = told.filter((one) => one.id === id);
        this.#visit.same(mine.map(({ line }) => line).toSorted(), events.toSorted(), `the events of ${subject}`);
        this.#visit.expect(
          mine.every((one) => one.messageId === messageId && (one.subject ?? subject) === subject),
          `an event of ${subject} names another message`,
        );
        for (const { address, state } of recipients) {
          const copies = smtp.copiesOf(id, address);
          this.#visit.expect(
            state === "unknown" ? copies <= 1 : copies === (state === "sent" ? 1 : 0),
            `${address} has ${copies} copies of ${subject}, which is ${state}`,
          );
        }
      }
    }
  }
}
