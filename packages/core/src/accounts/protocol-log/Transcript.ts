/** A line of a conversation in the protocol log, sent by the client or the server. */
export interface TranscriptLine {
  readonly from: "C" | "S";
  readonly text: string;
}

/** Reads the bytes of one connection in both directions, and returns the lines that these bytes complete, without secrets. */
export interface Transcript {
  readonly sent: (bytes: Uint8Array) => ReadonlyArray<TranscriptLine>;
  readonly received: (bytes: Uint8Array) => ReadonlyArray<TranscriptLine>;
  /** The start of a line that the server has not finished; null if there is none. */
  readonly unfinished: () => string | null;
}
