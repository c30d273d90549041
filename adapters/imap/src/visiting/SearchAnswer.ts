const SEARCHED = /^\* SEARCH((?: \d{1,10})*) ?(?:\(MODSEQ \d{1,19}\))? *$/i;
const ESEARCHED = /^\* ESEARCH \(TAG "[^"]*"\) UID\b(.*)$/i;
/**
 * The results of an ESEARCH. The pattern has one repetition, because two that match the same text take quadratic time.
 * UIDs have at most ten digits, because a loop over integers beyond 2^53 would not end.
 */
const RESULTS = /^(?: (?:(?:MIN|MAX|COUNT|MODSEQ) \d{1,19}|ALL \d{1,10}(?:[:,]\d{1,10})*))*$/i;
const SET = / ALL (\S+)/i;

/** Maximum size of an answer that is read; longer ones would block the process for too long. */
const MAX_BYTES = 64 << 10;
const MAX_FOUND = 100_000;

/** Reads the answers to `searchLine`. */
export class SearchAnswer {
  /** Whether answers must carry the tag of the search. iCloud answers RETURN with a plain SEARCH, which has none. */
  readonly #isNamed: boolean;
  /** The UIDs so far; a server may answer in several lines. */
  #uids: ReadonlyArray<number> | undefined;
  #isReadable = true;

  constructor(isNamed: boolean) {
    this.#isNamed = isNamed;
  }

  /**
   * Reads a response; returns false if it does not answer a search. An answer with more UIDs than `exists` is
   * unreadable.
   */
  take(payload: Buffer, exists: number): boolean {
    if (!/^\* E?SEARCH\b/i.test(payload.toString("latin1", 0, 16))) return false;
    const isLong = payload.length > MAX_BYTES;
    const found = isLong ? undefined : uidsIn(payload.toString("latin1"), exists, this.#isNamed);
    if (found === undefined) this.#isReadable = false;
    else this.#uids = [...(this.#uids ?? []), ...found];
    return true;
  }

  /** Returns the UIDs, ascending; undefined if the answer is missing or unreadable. */
  uids(): ReadonlyArray<number> | undefined {
    return this.#isReadable && this.#uids !== undefined
      ? [...new Set(this.#uids)].sort((one, other) => one - other)
      : undefined;
  }
}

const uidsIn = (text: string, exists: number, isNamed: boolean): ReadonlyArray<number> | undefined => {
  const plain = isNamed ? undefined : SEARCHED.exec(text)?.[1];
  if (plain !== undefined) return plain.split(" ").filter(Boolean).map(Number);
  const results = ESEARCHED.exec(text)?.[1] ?? "?";
  if (!RESULTS.test(results)) return undefined;
  const found: Array<number> = [];
  for (const range of SET.exec(results)?.[1]?.split(",") ?? []) {
    const [first = 0, last = first] = range.split(":").map(Number);
    const [from, to] = [Math.min(first, last), Math.max(first, last)];
    if (from === 0 || found.length + to - from >= Math.min(exists, MAX_FOUND)) return undefined;
    for (let uid = from; uid <= to; uid++) found.push(uid);
  }
  return found;
};
