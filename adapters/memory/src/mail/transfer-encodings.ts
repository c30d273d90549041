/** A body without its Content-Transfer-Encoding (RFC 2045, 6); what is broken is left out or taken as it stands. */
export const decodedBody = (body: string, encoding: string): Uint8Array => {
  const known = encoding.trim().toLowerCase();
  if (known === "base64") return unarmoured(body);
  return Buffer.from(known === "quoted-printable" ? unquoted(body) : body, "latin1");
};

/** After padding another text begins. */
const unarmoured = (encoded: string): Uint8Array =>
  Buffer.concat(
    encoded
      .replaceAll(/[^A-Za-z0-9+/=]/g, "")
      .split(/=+/)
      .map((text) => Buffer.from(text, "base64")),
  );

const unquoted = (text: string): string =>
  text
    .replaceAll(/(?<![ \t])[ \t]+(?=\r?\n|$)/g, "")
    .replace(/=$/, "")
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
