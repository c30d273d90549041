import { type LineBounds, UNWRITTEN_BOUNDS } from "./protocol-lines.ts";

/** A bounded buffer of the newest unwritten lines. */
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

  /** Empties the buffer. Returns its lines, and the number of lines dropped since the last call. */
  take(): { readonly lines: ReadonlyArray<string>; readonly dropped: number } {
    const taken = { lines: this.#lines.slice(this.#start), dropped: this.#dropped };
    this.#lines = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#dropped = 0;
    return taken;
  }
}
