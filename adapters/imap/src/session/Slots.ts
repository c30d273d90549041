import type { MailServer } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { isAlive } from "../wire/imapflow-internals.ts";

/**
 * The kind of work. Interactive work may use every connection except the one in IDLE. Bulk work leaves connections
 * free, so that interactive work never waits for bulk work.
 */
export type Lane = "interactive" | "bulk" | "idle";

/** A place for one connection. */
export interface Slot {
  client: ImapFlow | undefined;
  /** Version of the credential the connection signed in with. */
  version: number;
  /** The server the connection was opened to. */
  server: MailServer | undefined;
  /** Whether the protocol log records the connection. */
  isRecorded: boolean;
  lane: Lane | undefined;
  idleSince: number;
  /**
   * The time of the next attempt after the server refused a further connection; used only while another connection is
   * open.
   */
  refusedUntil: number;
}

interface Waiter {
  readonly mailbox: string;
  readonly resume: (effect: Effect.Effect<Slot>) => void;
}

/** The connections one account may have, with their users and the waiting callers. Times in epoch milliseconds. */
export class Slots {
  readonly #slots: ReadonlyArray<Slot>;
  readonly #waiting: Record<Lane, Array<Waiter>> = { interactive: [], bulk: [], idle: [] };
  readonly #now: () => number;

  constructor(count: number, now: () => number) {
    this.#now = now;
    this.#slots = Array.from({ length: Math.max(1, count) }, () => ({
      client: undefined,
      version: 0,
      server: undefined,
      isRecorded: false,
      lane: undefined,
      idleSince: 0,
      refusedUntil: 0,
    }));
  }

  /** Takes a free slot, preferably one whose connection has this mailbox open; undefined if none is free. */
  take(lane: Lane, mailbox: string): Slot | undefined {
    const open = this.#slots.filter((slot) => isConnected(slot) || !this.#isRefused(slot));
    const bulk = this.#slots.filter((slot) => slot.lane === "bulk").length;
    if (lane === "bulk" && bulk >= Math.max(1, open.length - 2)) return undefined;
    if (lane === "idle" && (this.#slots.length < 2 || this.#slots.some((slot) => slot.lane === "idle")))
      return undefined;
    let best: Slot | undefined;
    for (const slot of open) {
      if (slot.lane === undefined && (best === undefined || distance(slot, mailbox) < distance(best, mailbox)))
        best = slot;
    }
    if (best !== undefined) best.lane = lane;
    return best;
  }

  /** Waits for the next free slot: interactive before bulk before idle, then in order of request. */
  wait(lane: Lane, mailbox: string): Effect.Effect<Slot> {
    return Effect.callback((resume) => {
      const slot = this.take(lane, mailbox);
      if (slot !== undefined) return resume(Effect.succeed(slot));
      const waiter = { mailbox, resume };
      this.#waiting[lane].push(waiter);
      return Effect.sync(() => {
        const at = this.#waiting[lane].indexOf(waiter);
        if (at >= 0) this.#waiting[lane].splice(at, 1);
      });
    });
  }

  release(slot: Slot): void {
    if (!isConnected(slot)) slot.client = undefined;
    slot.lane = undefined;
    slot.idleSince = this.#now();
    for (const lane of ["interactive", "bulk", "idle"] as const) {
      for (;;) {
        const waiter = this.#waiting[lane][0];
        const next = waiter && this.take(lane, waiter.mailbox);
        if (waiter === undefined || next === undefined) break;
        this.#waiting[lane].shift();
        waiter.resume(Effect.succeed(next));
      }
    }
  }

  /** Returns whether another connection will become free. The connection in IDLE is never released. */
  hasOthers(slot: Slot): boolean {
    return this.#slots.some((other) => other !== slot && other.lane !== "idle" && isConnected(other));
  }

  /** Closes the connection in IDLE, for a server that allows no other connection. Returns false if none is in IDLE. */
  shedIdle(slot: Slot): boolean {
    const idle = this.#slots.find((other) => other !== slot && other.lane === "idle" && isConnected(other));
    if (idle !== undefined) disconnect(idle);
    return idle !== undefined;
  }

  closeFree(which: (slot: Slot) => boolean): void {
    for (const slot of this.#slots) if (slot.lane === undefined && which(slot)) disconnect(slot);
  }

  /** Closes connections that wait for changes. */
  closeIdle(which: (slot: Slot) => boolean): void {
    for (const slot of this.#slots) if (slot.lane === "idle" && isConnected(slot) && which(slot)) disconnect(slot);
  }

  closeAll(): void {
    for (const slot of this.#slots) disconnect(slot);
  }

  /** Returns the time of the last use of the least recently used free connection; undefined if none is open. */
  idleSince(): number | undefined {
    const free = this.#slots.filter((slot) => slot.lane === undefined && isConnected(slot));
    return free.length === 0 ? undefined : Math.min(...free.map((slot) => slot.idleSince));
  }

  /** Returns whether no connection is open or in use, and no caller waits for one. */
  isQuiet(): boolean {
    return (
      this.#slots.every((slot) => slot.lane === undefined && !isConnected(slot)) &&
      this.#waiting.interactive.length + this.#waiting.bulk.length + this.#waiting.idle.length === 0
    );
  }

  #isRefused(slot: Slot): boolean {
    return slot.refusedUntil > this.#now() && this.hasOthers(slot);
  }
}

export const isConnected = (slot: Slot): slot is Slot & { client: ImapFlow } =>
  slot.client !== undefined && isAlive(slot.client);

export const disconnect = (slot: Slot): void => {
  slot.client?.close();
  slot.client = undefined;
};

/**
 * Returns the cost of using a slot for a mailbox. A connection with INBOX open is taken last, because listings need
 * such a connection.
 */
const distance = (slot: Slot, mailbox: string): number => {
  if (!isConnected(slot)) return 3;
  const open = slot.client.mailbox === false ? undefined : slot.client.mailbox.path;
  return open === mailbox ? 0 : open === "INBOX" ? 2 : 1;
};
