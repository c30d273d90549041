/** A value in a FETCH response: NIL, a string in any notation, or a list (RFC 9051, 4). */
export type Value = string | null | List;
export interface List extends ReadonlyArray<Value> {}

/** Thrown for unexpected syntax; imapflow then parses the response. */
const UNREADABLE = new Error("not written as expected");

export const unreadable = (): never => {
  throw UNREADABLE;
};

/** The maximum depth of lists; the sender of a message determines the depth of its structure. */
export const MAX_NESTED = 60;

const [SPACE, QUOTE, OPEN, CLOSE, BACKSLASH, CURLY] = [0x20, 0x22, 0x28, 0x29, 0x5c, 0x7b];

/**
 * The characters of an atom, without those that have a second meaning (`[ ] < > ~`) and without characters beyond
 * ASCII.
 */
const IS_ATOM_CHARACTER = new Uint8Array(256);
for (let code = 0x21; code < 0x7f; code++) {
  if (!'(){}%*"\\[]<>~'.includes(String.fromCharCode(code))) IS_ATOM_CHARACTER[code] = 1;
}

const LITERAL = /\{(0|[1-9]\d{0,9})\}\r?\n/y;

/** A cursor over one response as imapflow reads it from the stream: lines joined, literals separate. */
export class ResponseText {
  readonly #text: string;
  readonly #literals: ReadonlyArray<Buffer>;
  #at = 0;
  #literal = 0;

  constructor(payload: Buffer, literals: ReadonlyArray<Buffer>) {
    this.#text = payload.toString();
    this.#literals = literals;
  }

  /** Reads the text that this sticky expression matches. */
  match(expression: RegExp): RegExpExecArray {
    expression.lastIndex = this.#at;
    const matched = expression.exec(this.#text) ?? unreadable();
    this.#at = expression.lastIndex;
    return matched;
  }

  /** Reads the text that this sticky expression matches; null if it does not match here. */
  takes(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const matched = expression.exec(this.#text);
    if (matched !== null) this.#at = expression.lastIndex;
    return matched;
  }

  /** Returns whether a list begins here; if so, reads its parenthesis. */
  begins(): boolean {
    const isHere = this.#next() === OPEN;
    if (isHere) this.#at++;
    return isHere;
  }

  /** Returns whether a list ends here; if so, reads its parenthesis. */
  ends(): boolean {
    const isHere = this.#next() === CLOSE;
    if (isHere) this.#at++;
    return isHere;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  atom(): string {
    const text = this.#text;
    const start = this.#at;
    // A flag begins with a backslash.
    let at = text.charCodeAt(start) === BACKSLASH ? start + 1 : start;
    const first = at;
    while (IS_ATOM_CHARACTER[text.charCodeAt(at)] === 1) at++;
    const next = text.charCodeAt(at);
    if (at === first || (next !== SPACE && next !== CLOSE && at < text.length)) unreadable();
    this.#at = at;
    return text.slice(start, at);
  }

  /** Reads a value with everything nested in it. */
  value(): Value {
    return this.begins() ? this.values() : this.#string();
  }

  /** Reads the values up to the end of the list, and its parenthesis. */
  values(depth = 1): List {
    if (depth > MAX_NESTED) unreadable();
    const values: Array<Value> = [];
    while (!this.ends()) values.push(this.begins() ? this.values(depth + 1) : this.#string());
    return values;
  }

  /** Reads a string in any notation; returns the empty string for NIL and at the end of the list. */
  text(): string {
    return this.#next() === CLOSE ? "" : (this.#string() ?? "");
  }

  /** Reads a string in any notation as bytes; null for NIL. */
  bytes(): Buffer | null {
    const code = this.#text.charCodeAt(this.#at);
    if (code === CURLY) {
      this.match(LITERAL);
      return this.#literals[this.#literal++] ?? unreadable();
    }
    const value = code === QUOTE ? this.#quoted() : this.#word();
    return value === null ? null : Buffer.from(value);
  }

  /** Skips a value with all nested values; at the end of the list, skips nothing. */
  skip(): void {
    if (this.#next() === CLOSE) return;
    let depth = 0;
    do {
      if (this.begins()) {
        if (++depth > MAX_NESTED) unreadable();
      } else if (depth > 0 && this.ends()) depth--;
      else if (this.#text.charCodeAt(this.#at) === QUOTE) this.#endOfQuoted();
      else this.bytes();
    } while (depth > 0);
  }

  /** Skips spaces; returns the code of the character behind them. */
  #next(): number {
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++;
    return this.#text.charCodeAt(this.#at);
  }

  #string(): string | null {
    const code = this.#text.charCodeAt(this.#at);
    return code === QUOTE ? this.#quoted() : code === CURLY ? this.#counted() : this.#word();
  }

  #word(): string | null {
    const atom = this.atom();
    return atom.length === 3 && atom.toUpperCase() === "NIL" ? null : atom;
  }

  #quoted(): string {
    const start = this.#at + 1;
    const isEscaped = this.#endOfQuoted();
    const quoted = this.#text.slice(start, this.#at - 1);
    return isEscaped ? quoted.replace(/\\([\s\S])/g, "$1") : quoted;
  }

  /** Skips a quoted string; returns whether it has escaped characters. */
  #endOfQuoted(): boolean {
    const text = this.#text;
    let at = this.#at + 1;
    let isEscaped = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        isEscaped = true;
        at++;
      }
      if (++at > text.length) unreadable();
    }
    this.#at = at + 1;
    return isEscaped;
  }

  #counted(): string {
    this.match(LITERAL);
    return (this.#literals[this.#literal++] ?? unreadable()).toString();
  }
}
