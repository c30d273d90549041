/**
 * Decodes a body's Content-Transfer-Encoding (RFC 2045, 6); invalid text is dropped or kept unchanged. Postal-mime
 * cannot replace this function, because it converts a part's CRLF to LF, but parts are downloaded byte for byte.
 */
export const decodedBody = (body: string, encoding: string): Uint8Array => {
  if (encoding === "base64") return decodeBase64(body);
  return Buffer.from(encoding === "quoted-printable" ? decodeQuotedPrintable(body) : body, "latin1");
};

/** Decodes base64; after padding, a new text begins. */
const decodeBase64 = (encoded: string): Uint8Array =>
  Buffer.concat(
    encoded
      .replaceAll(/[^A-Za-z0-9+/=]/g, "")
      .split(/=+/)
      .map((text) => Buffer.from(text, "base64")),
  );

const decodeQuotedPrintable = (text: string): string =>
  text
    .replaceAll(/(?<![ \t])[ \t]+(?=\r?\n|$)/g, "")
    .replace(/=$/, "")
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
