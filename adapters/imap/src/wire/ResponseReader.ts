/** A response as the server sent it: its lines joined without the last line end, its literals separate. */
export interface Response {
  readonly payload: Buffer;
  readonly literals: ReadonlyArray<Buffer>;
}

/** The maximum size in bytes of a line, of a literal, and of a whole response. */
export interface ResponseLimits {
  readonly line: number;
  readonly literal: number;
  readonly response: number;
}

/** The maximum number of literals in a response. A message with many recipients may have one in each name. */
const MAX_LITERALS = 100_000;

/** More significant digits than a number64 has (RFC 9051, 9). */
const MAX_DIGITS = 19;

const [CR, LF, ZERO, NINE, OPEN, CLOSE] = [0x0d, 0x0a, 0x30, 0x39, 0x7b, 0x7d];

const NOTHING = Buffer.alloc(0);
const NONE: ReadonlyArray<Buffer> = [];

/** Splits the bytes of a server into responses. Fails for a response larger than the limits before its end arrives. */
export class ResponseReader {
  /** The limits that apply to the bytes read from now on. */
  limits: ResponseLimits;
  readonly #failure: (what: string) => Error;
  #chunk: Buffer = NOTHING;
  #at = 0;
  /** The pieces of a line or literal whose end has not arrived, and their size. */
  #pieces: Array<Buffer> = [];
  #size = 0;
  /** The number of missing bytes of a literal; undefined outside of a literal. */
  #missing: number | undefined;
  #lines: Array<Buffer> = [];
  #literals: Array<Buffer> = [];
  /** The size of the complete lines, and of their announced literals. */
  #counted = 0;

  constructor(limits: ResponseLimits, failure: (what: string) => Error) {
    this.limits = limits;
    this.#failure = failure;
  }

  /** Adds bytes; `next` must have read the earlier bytes. */
  add(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** Whether added bytes are left to read. */
  get hasMore(): boolean {
    return this.#at < this.#chunk.length;
  }

  /**
   * Returns the next response with its size in bytes; undefined if the end of the response has not arrived. A response
   * may be an empty line.
   */
  next(): { readonly response: Response; readonly size: number } | undefined {
    while (this.hasMore) {
      if (this.#missing !== undefined) this.#readLiteral(this.#missing);
      else {
        const line = this.#readLine();
        if (line === undefined) return undefined;
        const literal = literalSize(line);
        if (literal === undefined) return this.#end(line);
        this.#begin(line, literal);
      }
    }
    return undefined;
  }

  #readLine(): Buffer | undefined {
    const end = this.#chunk.indexOf(LF, this.#at) + 1;
    const piece = this.#chunk.subarray(this.#at, end === 0 ? undefined : end);
    this.#at += piece.length;
    this.#size += piece.length;
    if (this.#size > this.limits.line) throw this.#failure(`a line of more than ${this.limits.line} bytes`);
    this.#check(this.#counted + this.#size);
    if (end === 0) {
      this.#pieces.push(piece);
      return undefined;
    }
    const line = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    this.#counted += line.length;
    this.#forgetPieces();
    return line;
  }

  #readLiteral(missing: number): void {
    const piece = this.#chunk.subarray(this.#at, this.#at + missing);
    this.#at += piece.length;
    this.#pieces.push(piece);
    this.#missing = missing - piece.length;
    if (this.#missing === 0) this.#endLiteral();
  }

  #begin(line: Buffer, literal: number): void {
    if (literal > this.limits.literal) throw this.#failure(`a literal of more than ${this.limits.literal} bytes`);
    this.#counted += literal;
    this.#check(this.#counted);
    if (this.#literals.length === MAX_LITERALS) throw this.#failure(`more than ${MAX_LITERALS} literals in a response`);
    this.#lines.push(line);
    if (literal === 0) this.#endLiteral();
    else this.#missing = literal;
  }

  #endLiteral(): void {
    this.#literals.push(Buffer.concat(this.#pieces));
    this.#missing = undefined;
    this.#forgetPieces();
  }

  #end(line: Buffer): { readonly response: Response; readonly size: number } {
    const [lines, literals, size] = [this.#lines, this.#literals, this.#counted];
    this.#counted = 0;
    if (lines.length === 0) return { response: { payload: withoutEnd(line), literals: NONE }, size };
    this.#lines = [];
    this.#literals = [];
    return { response: { payload: withoutEnd(Buffer.concat([...lines, line])), literals }, size };
  }

  #check(size: number): void {
    if (size > this.limits.response) throw this.#failure(`a response of more than ${this.limits.response} bytes`);
  }

  #forgetPieces(): void {
    if (this.#pieces.length > 0) this.#pieces = [];
    this.#size = 0;
  }
}

const withoutEnd = (line: Buffer): Buffer => line.subarray(0, line.length - (line.at(-2) === CR ? 2 : 1));

/**
 * Returns the size of the literal that a line announces at its end (RFC 9051, 4.3); undefined if the line announces no
 * literal.
 */
const literalSize = (line: Buffer): number | undefined => {
  const last = line.length - (line.at(-2) === CR ? 3 : 2);
  if (line[last] !== CLOSE) return undefined;
  let first = last;
  while (line[first - 1]! >= ZERO && line[first - 1]! <= NINE) first--;
  if (first === last || line[first - 1] !== OPEN) return undefined;
  // The number may begin with any number of zeros.
  while (line[first] === ZERO && first < last - 1) first++;
  return last - first > MAX_DIGITS ? Infinity : Number(line.toString("latin1", first, last));
};
