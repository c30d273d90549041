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
  /** The time of one input, in inputs of an ordinary reader; 1. */
  readonly weight?: number;
  /** How much of the processor an input may take in one turn of the event loop, in milliseconds; 50. */
  readonly maxMillis?: number;
  /** Whether the reader declares this error; by default it declares none. */
  readonly declares?: (error: unknown) => boolean;
}

/** After a longer turn, others wait noticeably for the event loop. */
export const MAX_TURN_MILLIS = 50;
