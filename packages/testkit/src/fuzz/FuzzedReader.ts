/** A reader of foreign input, with the facts about it that fuzzing needs. */
export interface FuzzedReader {
  /** The name: `package/input`. */
  readonly name: string;
  /**
   * Inputs of ordinary and odd servers, one byte for each character up to U+00FF. Each input that ever caused a crash
   * is included.
   */
  readonly corpus: ReadonlyArray<string | Uint8Array>;
  /** Reads one input. */
  readonly read: (input: Buffer) => unknown;
  /** The cost of one input relative to an ordinary reader; 1 by default. */
  readonly weight?: number;
  /** The CPU time that an input may take in one turn of the event loop, in milliseconds; 50 by default. */
  readonly maxMillis?: number;
  /** Returns whether the reader declares this error; by default it declares none. */
  readonly declares?: (error: unknown) => boolean;
}

/** The CPU time of one turn of the event loop beyond which other requests wait noticeably. */
export const MAX_TURN_MILLIS = 50;
