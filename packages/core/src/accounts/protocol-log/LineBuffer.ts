import { type LineBounds, UNWRITTEN_BOUNDS } from "./protocol-lines.ts";

/** The newest lines that wait to be written, within bounds. */
export class LineBuffer {
  readonly #bounds: LineBounds;
  #lines: Array<string> = [];
  #start = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(bounds: LineBounds = UNWRITTEN_BOUNDS) {
    this.#bounds = bounds;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#bytes += line.length;
    while (this.#lines.length - this.#start > this.#bounds.lines || this.#bytes > this.#bounds.bytes) {
      this.#bytes -= this.#lines[this.#start]!.length;
      this.#lines[this.#start++] = "";
      this.#dropped++;
    }
    if (this.#start > this.#bounds.lines) {
      this.#lines = this.#lines.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Returns the lines, and the number of those that did not fit since the last call; empties the buffer. */
  take(): { readonly lines: ReadonlyArray<string>; readonly dropped: number } {
    const taken = { lines: this.#lines.slice(this.#start), dropped: this.#dropped };
    this.#lines = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#dropped = 0;
    return taken;
  }
}
