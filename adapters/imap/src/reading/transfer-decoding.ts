/** A decoder of a part that arrives in pieces. It keeps bytes that it cannot decode without the next piece. */
export interface TransferDecoder {
  readonly decode: (piece: Uint8Array) => Uint8Array;
  /** Returns the remaining bytes after the last piece. */
  readonly end: () => Uint8Array;
}

const NOTHING = new Uint8Array();

/** Returns the decoder of a Content-Transfer-Encoding (RFC 2045, 6). For an unknown encoding, it leaves bytes unchanged. */
export const transferDecoder = (encoding: string): TransferDecoder => {
  if (encoding === "base64") return base64Decoder();
  if (encoding === "quoted-printable") return quotedPrintableDecoder();
  return { decode: (piece) => piece, end: () => NOTHING };
};

/**
 * Returns a decoder of base64 that skips characters outside the alphabet (RFC 2045, 6.8). After padding a new text
 * begins, because some senders concatenate encoded texts.
 */
const base64Decoder = (): TransferDecoder => {
  let left = "";
  const decoded = (text: string): Uint8Array => Buffer.from(text, "base64");
  return {
    decode: (piece) => {
      const texts = (left + latin1(piece).replaceAll(/[^A-Za-z0-9+/=]/g, "")).split(/=+/);
      const last = texts.pop()!;
      const whole = last.length - (last.length % 4);
      left = last.slice(whole);
      return texts.length === 0
        ? decoded(last.slice(0, whole))
        : Buffer.concat([...texts, last.slice(0, whole)].map(decoded));
    },
    end: () => decoded(left),
  };
};

/** An incomplete escape, soft line break or white space before a line end. */
const UNSETTLED = /(?:=[0-9A-Fa-f]?|=?[ \t]+\r?|=\r|\r)$/;

/** White space before a line end. The lookbehind prevents a quadratic search. */
const TRAILING_SPACE = /(?<![ \t])[ \t]+(?=\r?\n)/g;

const quotedPrintableDecoder = (): TransferDecoder => {
  let left = "";
  const decoded = (text: string): Uint8Array =>
    Buffer.from(
      text
        .replaceAll(TRAILING_SPACE, "")
        .replaceAll(/=\r?\n/g, "")
        .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    );
  return {
    decode: (piece) => {
      const text = left + latin1(piece);
      const tail = text.slice(-1000);
      const at = UNSETTLED.exec(tail);
      const settled = at === null ? text.length : text.length - tail.length + at.index;
      left = text.slice(settled);
      return decoded(text.slice(0, settled));
    },
    end: () => decoded(left.replace(/=?[ \t]*\r?$/, "")),
  };
};

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
