/** The charsets used in the sandbox's mail. */
export type Charset = "utf-8" | "iso-8859-1" | "windows-1251" | "koi8-r" | "iso-2022-jp";

/** Encodes a text in a charset; fails if the charset lacks one of its characters. */
export const encodeText = (text: string, charset: Charset): Uint8Array => {
  if (charset === "utf-8") return new TextEncoder().encode(text);
  return charset === "iso-2022-jp" ? iso2022jp(text) : Uint8Array.from(text, (character) => byteOf(character, charset));
};

const tables = new Map<Charset, ReadonlyMap<string, number>>();

/** Node decodes these charsets but does not encode them, so the tables are derived from its decoders. */
const tableOf = (charset: Charset): ReadonlyMap<string, number> => {
  const known = tables.get(charset);
  if (known !== undefined) return known;
  const made = charset === "iso-2022-jp" ? doubleByteTable() : singleByteTable(charset);
  tables.set(charset, made);
  return made;
};

const singleByteTable = (charset: Charset): ReadonlyMap<string, number> => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  return new Map([...new TextDecoder(charset).decode(bytes)].map((character, byte) => [character, byte]));
};

/** Returns the table of JIS X 0208, read from EUC-JP, which has the same rows and cells with the high bits set. */
const doubleByteTable = (): ReadonlyMap<string, number> => {
  const decoder = new TextDecoder("euc-jp");
  const table = new Map<string, number>();
  for (let row = 0x21; row <= 0x7e; row++) {
    const cells = Uint8Array.from({ length: 94 * 2 }, (_, n) => 0x80 | (n % 2 === 0 ? row : 0x21 + (n >> 1)));
    const characters = [...decoder.decode(cells)];
    if (characters.length === 94) characters.forEach((character, n) => table.set(character, (row << 8) | (0x21 + n)));
  }
  return table;
};

const byteOf = (character: string, charset: Charset): number => {
  const byte = tableOf(charset).get(character);
  if (byte === undefined) throw new Error(`${charset} has no ${character}`);
  return byte;
};

/** Encodes with escape sequences between JIS X 0208 and ASCII (RFC 1468); the text ends in ASCII. */
const iso2022jp = (text: string): Uint8Array => {
  const bytes: Array<number> = [];
  let isDouble = false;
  const shift = (double: boolean): void => {
    if (double !== isDouble) bytes.push(0x1b, double ? 0x24 : 0x28, 0x42);
    isDouble = double;
  };
  for (const character of text) {
    const code = character.charCodeAt(0);
    shift(code >= 0x80);
    if (code < 0x80) bytes.push(code);
    else {
      const pair = byteOf(character, "iso-2022-jp");
      bytes.push(pair >> 8, pair & 0xff);
    }
  }
  shift(false);
  return Uint8Array.from(bytes);
};
