/** A reader of foreign input, as fuzzing sees it. */
export interface FuzzedReader {
  /** `package/what it reads`. */
  readonly name: string;
  /**
   * Inputs of ordinary and odd servers, one byte for each character up to U+00FF. Each crash that was found is one of
   * these inputs.
   */
  readonly corpus: ReadonlyArray<string | Uint8Array>;
  /** Reads one input. */
  readonly read: (input: Buffer) => unknown;
  /** How many times as long as for an ordinary reader one input takes; 1 by default. */
  readonly weight?: number;
  /** The CPU time that an input may take in one turn of the event loop, in milliseconds; 50 by default. */
  readonly maxMillis?: number;
  /** Whether the reader declares this error; by default it declares none. */
  readonly declares?: (error: unknown) => boolean;
}

/** If a turn takes longer, other requests wait noticeably for the event loop. */
export const MAX_TURN_MILLIS = 50;
