/** Bytes as base64 in lines of 76 characters (RFC 2045, 6.8). */
export const base64Lines = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("base64")
    .replaceAll(/.{76}(?=.)/g, "$&\r\n");

/** Bytes as quoted-printable in lines of at most 76 characters (RFC 2045, 6.7); CRLF stays a line end. */
export const quotedPrintable = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString("latin1").split("\r\n").map(quotedLine).join("\r\n");

/** No escape is cut in two. */
const quotedLine = (text: string): string => {
  let [done, line] = ["", ""];
  for (const unit of text.replaceAll(/[^\x20-\x3c\x3e-\x7e]| $/g, escaped).match(/=..|[^=]/g) ?? []) {
    if (line.length + unit.length > 75) {
      done += `${line}=\r\n`;
      line = "";
    }
    line += unit;
  }
  return done + line;
};

const escaped = (character: string): string =>
  `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
