/** The number and length of the lines that a server may send in answer to a command. */
export interface Asked {
  readonly lines: number;
  /** Whether the answer may have one further line for each message in the open mailbox. */
  readonly ofEachMessage: boolean;
  /** Whether lines may be as long as an answer about a message or a search. */
  readonly isLong: boolean;
}

export const NOTHING_ASKED: Asked = { lines: 0, ofEachMessage: false, isLong: false };

/** The lines of a LIST: a mailbox may have 10,000 folders, with a LIST and a STATUS response each. */
const ROWS_OF_LIST = 20_000;
/** The lines of a SEARCH; some servers answer in several lines. */
const LINES_OF_SEARCH = 16;
/**
 * The lines of a SELECT: FLAGS, EXISTS, RECENT, CLOSED, UNSEEN, UIDVALIDITY, UIDNEXT, PERMANENTFLAGS, HIGHESTMODSEQ,
 * MAILBOXID, LIST.
 */
const LINES_OF_SELECT = 11;
/** The tagged line at the end. */
const LAST_LINE = 1;

const COMMAND = /^\S+ (?:UID )?([A-Z-]+)(?: ([\d:,*]+)(?= |$))?/i;
const OF_MESSAGES = /^(FETCH|STORE|MOVE|COPY|EXPUNGE)$/;
const LONG = /^(FETCH|SEARCH|SORT|THREAD)$/;

/** Returns the bounds of the answers to these command lines. */
export const answerBounds = (lines: ReadonlyArray<string>): Asked =>
  lines.map(askedByOne).reduce(
    (all, one) => ({
      lines: all.lines + one.lines + LAST_LINE,
      ofEachMessage: all.ofEachMessage || one.ofEachMessage,
      isLong: all.isLong || one.isLong,
    }),
    NOTHING_ASKED,
  );

const askedByOne = (line: string): Asked => {
  const [, name = "", set] = COMMAND.exec(line) ?? [];
  const verb = name.toUpperCase();
  const isLong = LONG.test(verb);
  if (verb === "LIST" || verb === "LSUB") return { ...NOTHING_ASKED, lines: ROWS_OF_LIST };
  if (verb === "STATUS") return { ...NOTHING_ASKED, lines: 1 };
  if (set !== undefined && OF_MESSAGES.test(verb)) {
    return { lines: sizeOf(set), ofEachMessage: set.includes("*"), isLong };
  }
  // With QRESYNC, a SELECT also requests each change.
  const isSelect = verb === "SELECT" || verb === "EXAMINE";
  const ofEachMessage = verb === "EXPUNGE" || (isSelect && /QRESYNC/i.test(line));
  return { lines: isLong ? LINES_OF_SEARCH : isSelect ? LINES_OF_SELECT : 0, ofEachMessage, isLong };
};

/** Returns the number of numbers in a sequence set, without its open ranges. */
const sizeOf = (set: string): number =>
  set.split(",").reduce((size, range) => {
    const [first, last = first] = range.split(":").map(Number);
    const count = Math.abs(last! - first!) + 1;
    return Number.isNaN(count) ? size : size + count;
  }, 0);
