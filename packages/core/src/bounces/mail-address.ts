/** An address found in text, with its position. */
export interface FoundAddress {
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

const MAX_LOCAL_CHARS = 128;
const MAX_DOMAIN_CHARS = 255;
const LOCAL = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]/u;
const DOMAIN = /[\p{L}\p{N}.-]/u;
const ASCII_LOCAL = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/;
const WIDE = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/;

const startOfLocal = (text: string, at: number): number => {
  const least = Math.max(0, at - MAX_LOCAL_CHARS);
  if (text[at - 1] === '"') {
    const quote = text.slice(least, at - 1).lastIndexOf('"');
    return quote === -1 ? at : least + quote;
  }
  let start = at;
  // Chinese and Japanese text has no space before an address, so a change of script ends the local part.
  const allowed = ASCII_LOCAL.test(text.charAt(at - 1)) ? ASCII_OR_ACCENTED : LOCAL;
  while (start > least && allowed.test(text.charAt(start - 1))) start--;
  // An encoded word (RFC 2047) starts with "=?" and is part of the address.
  while (/[.'/=`*|]/.test(text.charAt(start)) && !text.startsWith("=?", start)) start++;
  return start;
};

const ASCII_OR_ACCENTED = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u00c0-\u024f\u0400-\u04ff-]/;

/** Returns at most `limit` addresses in order. Reads only a bounded range around each `@`. */
export const findAddresses = (text: string, limit = 100): ReadonlyArray<FoundAddress> => {
  const found: Array<FoundAddress> = [];
  let at = text.indexOf("@");
  for (let seen = 0; at !== -1 && found.length < limit && seen < 1_000; seen++) {
    const start = startOfLocal(text, at);
    const most = at + 1 + MAX_DOMAIN_CHARS;
    let end = at + 1;
    if (text[end] === "[") end += text.slice(end, most).indexOf("]") + 1;
    else {
      const wide = WIDE.test(text.charAt(end));
      while (end < most && DOMAIN.test(text.charAt(end)) && (wide || !WIDE.test(text.charAt(end)))) end++;
      while (/[.-]/.test(text.charAt(end - 1))) end--;
    }
    if (start < at && isDomain(text.slice(at + 1, end))) found.push({ address: text.slice(start, end), start, end });
    at = text.indexOf("@", end);
  }
  return found;
};

/** Returns whether text is a domain: it has a dot, is a literal, or is `localhost`, which MTAs write without a dot. */
const isDomain = (domain: string): boolean =>
  domain.startsWith("[") || domain === "localhost" || (domain.includes(".") && !domain.includes(".."));

export const firstAddress = (text: string): string | null => findAddresses(text, 1)[0]?.address ?? null;

/** Decodes `+XX` (RFC 3461, 4) and `\x{XXXX}` (RFC 6533, 3). */
export const decodeXtext = (text: string): string =>
  text
    .replaceAll(/(?:\+[0-9A-F]{2}){1,512}/g, (run) => {
      try {
        return decodeURIComponent(run.replaceAll("+", "%"));
      } catch {
        return run;
      }
    })
    .replaceAll(/\\x\{([0-9A-F]{1,6})\}/gi, (whole, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });

/** Decodes xtext only in values without `@`, because a plus sign in an address usually starts a sub-address. */
const decodeTyped = (value: string): string =>
  value.includes("@") && !value.includes("\\x{") ? value : decodeXtext(value);

/**
 * Returns the address in a field such as Final-Recipient: `rfc822; a@example.com`, `rfc822;<a@example.com> (Bob)`,
 * `utf-8; \x{…}@example.com`, `X400;…`, `SMTP:a@example.com`, or only the address (RFC 3464, 2.3).
 */
export const readTypedAddress = (field: string): string | null => {
  const value = decodeTyped(field.slice(field.indexOf(";") + 1).trim());
  return firstAddress(value.replace(/^(?:smtp|mailto|rfc822)[:;]\s?/i, ""));
};
