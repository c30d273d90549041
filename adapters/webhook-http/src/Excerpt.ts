/** How many bytes of a response body are read, and how many of these are kept. */
export const READ_BYTES = 16 * 1024;
const KEPT_BYTES = 4 * 1024;

const whole = new TextDecoder();

/** The beginning of a response body, collected as it arrives. */
export class Excerpt {
  readonly #kept: Array<Uint8Array> = [];
  #read = 0;

  /** Adds a piece of the body. Returns whether to continue reading. */
  take(piece: Uint8Array): boolean {
    if (this.#read < KEPT_BYTES) this.#kept.push(Uint8Array.from(piece.subarray(0, KEPT_BYTES - this.#read)));
    this.#read += piece.length;
    return this.#read < READ_BYTES;
  }

  /** The text in a form that every store accepts: invalid UTF-8 and NUL are replaced, and a character cut off at the end is omitted. */
  get text(): string {
    if (this.#read === 0) return "";
    const bytes = Buffer.concat(this.#kept);
    const cut = this.#read > KEPT_BYTES;
    return (cut ? new TextDecoder().decode(bytes, { stream: true }) : whole.decode(bytes)).replaceAll("\0", "\uFFFD");
  }
}
