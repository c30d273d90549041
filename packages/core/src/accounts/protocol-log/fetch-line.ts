/** The MIME words that a BODYSTRUCTURE quotes; any other string may be a name, an address or a subject. */
const MIME_WORDS = new Set(
  (
    "text plain html calendar enriched csv multipart mixed alternative related signed report encrypted digest message " +
    "rfc822 delivery-status disposition-notification feedback-report image png jpeg gif svg+xml webp application pdf zip " +
    "octet-stream json xml pkcs7-signature pgp-signature ms-tnef audio video font 7bit 8bit binary base64 " +
    "quoted-printable charset utf-8 us-ascii iso-8859-1 iso-8859-15 windows-1252 gb2312 gbk gb18030 big5 iso-2022-jp " +
    "shift_jis euc-kr koi8-r format flowed fixed delsp yes no name filename boundary attachment inline size " +
    "report-type micalg protocol pgp-sha256 sha-256 type start"
  ).split(" "),
);

const DATE = /^[ \d]\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d [+-]\d{4}$/;

/** Data items of FETCH, numbers, flags and announcements of literals (RFC 9051, 7.5.2; RFC 8474; Gmail's extensions). */
const KEPT =
  /^(UID|FLAGS|MODSEQ|INTERNALDATE|SAVEDATE|RFC822(\.(SIZE|HEADER|TEXT))?|ENVELOPE|BODY|BODYSTRUCTURE|PREVIEW|EMAILID|THREADID|X-GM-(MSGID|THRID|LABELS)|(BODY|BINARY)(\.PEEK|\.SIZE)?\[[^\]]*\](<\d+>)?|NIL|\d+|\\\*?[A-Z]+|\{\d+\+?\})$/i;

/** A string, a parenthesis, white space, an item with its section, or another token. A quote without an end is a token too. */
const TOKENS = /"(?:[^"\\]|\\.)*"|"|[()]|\s+|[A-Z0-9.]+\[[^\]]*\](?:<\d+>)?|[^\s()"]+/gi;

const removed = (bytes: number): string => `<${bytes} removed>`;

/**
 * Returns a FETCH response, or a part of it, without contents of the message. Omits strings other than MIME words and
 * the date of arrival, and every token that is not a data item, a number or a flag.
 */
export const fetchWithoutContents = (data: string): string => {
  let shown = "";
  let inFlags = false;
  for (const { 0: token, index } of data.matchAll(TOKENS)) {
    if (token === '"') return `${shown}${removed(data.length - index)}`;
    if (token.startsWith('"')) {
      const value = token.slice(1, -1);
      const isKept = value === "" || MIME_WORDS.has(value.toLowerCase()) || DATE.test(value);
      shown += isKept ? token : `"${removed(value.length)}"`;
      continue;
    }
    const isKept = /^[()\s]/.test(token) || KEPT.test(token) || (inFlags && /^\$?\w{1,40}$/.test(token));
    shown += isKept ? token : removed(token.length);
    if (/^FLAGS$/i.test(token)) inFlags = true;
    else if (token === ")") inFlags = false;
  }
  return shown;
};
