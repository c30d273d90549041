/** What is read of an answer's body, and what of that is kept. */
export const READ_BYTES = 16 * 1024;
const KEPT_BYTES = 4 * 1024;

/** The beginning of an answer's body as it comes in. */
export class Excerpt {
  readonly #kept: Array<Uint8Array> = [];
  #read = 0;

  /** Takes a piece of the body and says whether more is wanted. */
  take(piece: Uint8Array): boolean {
    if (this.#read < KEPT_BYTES) this.#kept.push(Uint8Array.from(piece.subarray(0, KEPT_BYTES - this.#read)));
    this.#read += piece.length;
    return this.#read < READ_BYTES;
  }

  /** As text that can be stored anywhere: invalid UTF-8 and NUL replaced, a character cut at the end left out. */
  get text(): string {
    if (this.#read === 0) return "";
    const bytes = Buffer.concat(this.#kept);
    return new TextDecoder().decode(bytes, { stream: this.#read > KEPT_BYTES }).replaceAll("\0", "\uFFFD");
  }
}
