import { countIn, type MessageFlags, rangesOf, type UidRanges } from "@postern/core/watch";
import { rangesWithout, uidAt, missingUids } from "./uid-ranges.ts";

/**
 * Maximum number of remembered messages with announced flags. Flags of further messages are found when all messages are
 * read in turn.
 */
const MAX_ANNOUNCED = 500;

/** Maximum number of remembered announced removals. After more removals, the list of present messages is fetched. */
const MAX_REMOVED = 100;

/**
 * Messages whose flags the server announced as changed, by UID if the server sent a UID, otherwise by sequence number.
 */
export interface Announced {
  readonly positions: ReadonlyArray<number>;
  readonly uids: ReadonlyArray<number>;
}

/** The state of a mailbox from the earlier polls of one watch, for a server that does not report vanished messages. */
export class KnownMessages {
  /** The UIDs of all messages below `uidNext` as of the last poll; undefined if unknown. */
  present: UidRanges | undefined;
  uidNext = 1;
  /** When flags were last read without CONDSTORE, in epoch milliseconds. */
  sweptAt = -Infinity;
  /** The UID below which the next slice of old messages begins. */
  sweepBelow = Infinity;
  /** Whether the server refuses VANISHED although QRESYNC is enabled. */
  refusesVanished = false;
  /** Whether the caller has a list of every message that this watch found. */
  #isComplete = false;
  /**
   * The number of messages at the last poll, which may exceed the UIDs in `present`, because servers may hide the
   * oldest messages.
   */
  #messages = 0;
  /** Sequence numbers of messages whose flags the server announced as changed. */
  #announced = new Set<number>();
  /** UIDs of messages with changed flags, from servers that announce UIDs (RFC 7162, 3.2.4). */
  readonly #announcedUids = new Set<number>();
  /** The UIDs in the session's numbering of messages, without announced removals; undefined if unknown. */
  #numbered: UidRanges | undefined;
  readonly #removed = new Set<number>();
  readonly #vanished = new Set<number>();
  readonly #flags = new Map<number, MessageFlags & { readonly uid: number }>();

  /** Drops the results of earlier polls, because the caller has stored them. */
  confirm(): void {
    this.#isComplete = this.present !== undefined;
    this.#vanished.clear();
    this.#flags.clear();
  }

  /** Drops all state, because the mailbox was recreated. */
  reset(): void {
    this.present = undefined;
    this.#forgetRemoved();
    this.sweepBelow = Infinity;
    this.sweptAt = -Infinity;
    this.#announced.clear();
    this.#announcedUids.clear();
    this.confirm();
  }

  announce({ seq, uid }: { readonly seq: number; readonly uid?: number | undefined }): void {
    const [announced, name] = uid === undefined ? [this.#announced, seq] : [this.#announcedUids, uid];
    if (announced.size < MAX_ANNOUNCED) announced.add(name);
  }

  /** Updates the numbering of messages after an EXPUNGE, or after a VANISHED, which has no sequence number. */
  renumber(expunged: number | undefined): void {
    this.#remove(expunged);
    if (this.#announced.size === 0) return;
    const others = [...this.#announced].filter((seq) => seq !== expunged);
    if (expunged === undefined) this.sweptAt = -Infinity;
    this.#announced = new Set(expunged === undefined ? [] : others.map((seq) => (seq > expunged ? seq - 1 : seq)));
  }

  /** Drops the numbering of messages, because the mailbox was selected again. */
  forgetNumbers(): void {
    this.#numbered = undefined;
    if (this.#announced.size > 0) this.sweptAt = -Infinity;
    this.#announced.clear();
  }

  /** Returns and removes the sequence numbers and UIDs of messages with announced flags. */
  takeAnnounced(): Announced {
    const announced = { positions: [...this.#announced], uids: [...this.#announcedUids] };
    this.#announced.clear();
    this.#announcedUids.clear();
    return announced;
  }

  /**
   * Returns the messages that the server announced as removed, if as many messages vanished. Some servers announce
   * wrong numbers, so the caller must check that none of these messages is present.
   */
  removed(arrived: ReadonlyArray<number>, messages: number): ReadonlyArray<number> {
    const vanished = this.#messages + this.#freshOf(arrived).length - messages;
    return vanished === this.#removed.size ? [...this.#removed].toSorted((one, other) => one - other) : [];
  }

  /**
   * Returns whether no message vanished, according to the arrivals since the last poll and the current number of
   * messages.
   */
  accountsFor(arrived: ReadonlyArray<number>, messages: number): boolean {
    return this.present !== undefined && this.#messages + this.#freshOf(arrived).length === messages;
  }

  /** Adds arrivals, and removes messages that vanished. */
  update(arrived: ReadonlyArray<number>, vanished: ReadonlyArray<number>, uidNext: number): void {
    const fresh = this.#freshOf(arrived);
    let present = rangesOf(fresh, this.present);
    for (const uid of vanished) present = rangesWithout(present, uid);
    this.replace(present, uidNext, this.#messages + fresh.length - vanished.length);
  }

  /** Replaces the known messages by the present ones; the others vanished. */
  replace(present: UidRanges, uidNext: number, messages: number): void {
    if (this.present !== undefined) for (const uid of missingUids(this.present, present)) this.#vanished.add(uid);
    this.present = present;
    this.uidNext = uidNext;
    this.#messages = messages;
    this.#forgetRemoved();
  }

  addFlags(flags: ReadonlyArray<MessageFlags & { readonly uid: number }>): void {
    for (const one of flags) this.#flags.set(one.uid, one);
  }

  /** Returns the changes since the caller last confirmed. */
  changes() {
    const flags = [...this.#flags.values()];
    return this.#isComplete || this.present === undefined
      ? { vanished: [...this.#vanished], flags }
      : { present: this.present, flags };
  }

  #forgetRemoved(): void {
    this.#removed.clear();
    const isNumbered = this.present !== undefined && countIn(this.present) === this.#messages;
    this.#numbered = isNumbered ? this.present : undefined;
  }

  #remove(expunged: number | undefined): void {
    if (this.#numbered === undefined) return;
    const uid = expunged === undefined ? undefined : uidAt(this.#numbered, expunged);
    // A number above the known numbers belongs to a message that arrived later.
    if (uid === undefined) return;
    this.#removed.add(uid);
    this.#numbered = this.#removed.size > MAX_REMOVED ? undefined : rangesWithout(this.#numbered, uid);
  }

  #freshOf(arrived: ReadonlyArray<number>): ReadonlyArray<number> {
    return arrived.filter((uid) => uid >= this.uidNext);
  }
}
