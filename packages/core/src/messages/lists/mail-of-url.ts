/** The message described by a `mailto:` URL. */
export interface MailOfUrl {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const MAX_SUBJECT_CHARS = 500;
const MAX_TEXT_CHARS = 10_000;

/** One address without a name. A stranger wrote the URL, and a message to several addresses could be spam. */
const ADDRESS = /^[^\s@<>(),;:"[\]\\]{1,64}@[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?$/i;

/**
 * Returns the message described by a list's `mailto:` URL (RFC 6068), with `unsubscribe` for a missing subject or text;
 * null for another URL, or a URL with several addresses. Other fields of the URL, such as Cc, are ignored.
 */
export const mailOfUrl = (url: string): MailOfUrl | null => {
  const [, path, query = ""] = /^mailto:([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const to = path === undefined ? null : decodedText(path);
  if (to === null || !ADDRESS.test(to)) return null;
  const fields = new Map(
    query.split("&").flatMap((field) => {
      const [name = "", ...value] = field.split("=");
      const text = decodedText(value.join("="));
      return text === null || text === "" ? [] : [[name.toLowerCase(), text] as const];
    }),
  );
  return {
    to,
    subject: (fields.get("subject") ?? "unsubscribe").replaceAll(/\p{Cc}+/gu, " ").slice(0, MAX_SUBJECT_CHARS),
    text: (fields.get("body") ?? "unsubscribe").replaceAll("\0", "").slice(0, MAX_TEXT_CHARS),
  };
};

/** Returns percent-encoded UTF-8 as text; null if it is malformed. Unlike in a form, a plus sign stays a plus sign. */
const decodedText = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};
