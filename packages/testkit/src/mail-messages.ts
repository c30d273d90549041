/** Raw RFC 5322 messages for tests. */

/** Joins lines with CRLF. */
export const lines = (...text: ReadonlyArray<string>): string => text.join("\r\n") + "\r\n";

/** Returns a small plain-text message with this subject. */
export const plainMessage = (subject: string): string =>
  lines(
    "From: Sender <sender@example.org>",
    "To: someone@example.org",
    `Subject: ${subject}`,
    "Date: Mon, 06 Jan 2025 10:00:00 +0000",
    "",
    `Text of ${subject}.`,
  );

/** Returns bytes as base64 in lines of 76 characters. */
export const base64Lines = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("base64")
    .replace(/.{76}(?=.)/g, "$&\r\n");

export interface Part {
  readonly headers: ReadonlyArray<string>;
  readonly body: string;
}

/** Returns the header lines and the body of a multipart entity. */
export const multipart = (subtype: string, boundary: string, parts: ReadonlyArray<Part>): Part => ({
  headers: [`Content-Type: multipart/${subtype}; boundary="${boundary}"`],
  body:
    [...parts.map((part) => `--${boundary}\r\n${part.headers.join("\r\n")}\r\n\r\n${part.body}\r\n`), ""].join("") +
    `--${boundary}--\r\n`,
});

/** Returns a complete message of one part. */
export const messageOf = (part: Part, headers: ReadonlyArray<string> = []): string =>
  `${["From: a@example.org", "To: b@example.org", "MIME-Version: 1.0", ...headers, ...part.headers].join("\r\n")}\r\n\r\n${part.body}`;
