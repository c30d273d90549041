/** Keys, operators and results of SEARCH, SORT and THREAD (RFC 9051, 6.4.4; RFC 5256; RFC 4731; Gmail's extensions). */
const KEYS = new Set(
  (
    "UID SEARCH SORT THREAD RETURN MIN MAX ALL COUNT SAVE PARTIAL CHARSET UTF-8 US-ASCII ANSWERED BCC BEFORE BODY CC " +
    "DELETED DRAFT FLAGGED FROM HEADER KEYWORD LARGER NEW NOT OLD ON OR RECENT SEEN SENTBEFORE SENTON SENTSINCE SINCE " +
    "SMALLER SUBJECT TEXT TO UNANSWERED UNDELETED UNDRAFT UNFLAGGED UNKEYWORD UNSEEN MODSEQ OLDER YOUNGER EMAILID " +
    "THREADID X-GM-RAW X-GM-MSGID X-GM-THRID FUZZY REVERSE ARRIVAL DATE SIZE REFERENCES ORDEREDSUBJECT MESSAGE-ID " +
    "IN-REPLY-TO"
  ).split(" "),
);

const NUMBERS = /^[\d:,*$]+$|^\d{1,2}-[A-Z][a-z]{2}-\d{4}$|^\{\d+\+?\}$/;
const TOKENS = /"(?:[^"\\]|\\.)*"|"|[()]|\s+|[^\s()"]+/g;

/** Returns the arguments of a search without the search words. */
export const searchWithoutWords = (args: string): string => {
  let shown = "";
  for (const { 0: token, index } of args.matchAll(TOKENS)) {
    if (token === '"') return `${shown}<${args.length - index} removed>`;
    const name = token.replace(/^"(.*)"$/s, "$1");
    if (/^[()\s]/.test(token) || KEYS.has(name.toUpperCase()) || NUMBERS.test(token)) shown += token;
    else shown += `<${name.length} removed>`;
  }
  return shown;
};
