import { Context } from "effect";
import type { MailServer } from "./ports/MailServers.ts";

const FIRST_WAIT_MILLIS = 3_000;
const MAX_WAIT_MILLIS = 3_600_000;
/** The time after the end of the last wait after which a flood counts as a first flood. */
const FORGOTTEN_AFTER_MILLIS = 3_600_000;
const MAX_KNOWN = 10_000;

interface Flood {
  readonly wait: number;
  readonly until: number;
}

/**
 * The waits before a server that exceeded its budget is contacted again (spec 10.4). Each wait applies to one user at
 * one server, so that no other account has to wait. Times in epoch milliseconds.
 */
export class ServerFloods {
  readonly #floods = new Map<string, Flood>();

  /**
   * Notes a flood, and doubles the wait. A flood during the wait, on a connection that was already open, does not
   * double the wait again.
   */
  note(server: MailServer, username: string, now: number): void {
    const key = keyOf(server, username);
    const last = this.#floods.get(key);
    if (last !== undefined && now < last.until) return;
    const isForgotten = last === undefined || now > last.until + FORGOTTEN_AFTER_MILLIS;
    const wait = isForgotten ? FIRST_WAIT_MILLIS : Math.min(2 * last.wait, MAX_WAIT_MILLIS);
    this.#floods.delete(key);
    this.#floods.set(key, { wait, until: now + wait });
    const [oldest] = this.#floods.keys();
    if (this.#floods.size > MAX_KNOWN && oldest !== undefined) this.#floods.delete(oldest);
  }

  /** Returns the milliseconds to wait before the next connection; 0 if none. */
  wait(server: MailServer, username: string, now: number): number {
    return Math.max(0, (this.#floods.get(keyOf(server, username))?.until ?? 0) - now);
  }
}

const keyOf = ({ host, port }: MailServer, username: string): string => `${host}:${port} ${username}`;

/** The floods that this process has seen. */
export const KnownFloods = Context.Reference<ServerFloods>("@postern/core/mail/KnownFloods", {
  defaultValue: () => new ServerFloods(),
});
