import { SECOND } from "../../durations.ts";

/** The time around the end of a window in which a message may count in it or in the next one: a node may stand still for seconds. */
const EDGE = 6 * SECOND;

/** The windows in which messages count: a window begins with its first message, and lasts for its length. [S6.6-11] */
export class QuotaModel {
  readonly #windows = new Map<string, { start: number; used: number }>();

  /** Returns how many more messages a limit allows now; undefined if that is uncertain. */
  left(name: string, length: number, most: number, now: number): number | undefined {
    const window = this.#windows.get(`${name} ${length}`);
    if (window === undefined) return most;
    if (Math.abs(window.start + length - now) < EDGE) return undefined;
    return now < window.start + length ? Math.max(0, most - window.used) : most;
  }

  count(name: string, length: number, now: number): void {
    const window = this.#windows.get(`${name} ${length}`);
    if (window !== undefined && now < window.start + length) window.used++;
    else this.#windows.set(`${name} ${length}`, { start: now, used: 1 });
  }
}
