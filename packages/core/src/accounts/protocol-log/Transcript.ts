/** A line of a conversation as the protocol log shows it: of the client or of the server. */
export interface TranscriptLine {
  readonly from: "C" | "S";
  readonly text: string;
}

/** Reads the bytes of one connection in both directions, and returns the lines that they end, without secrets. */
export interface Transcript {
  readonly sent: (bytes: Uint8Array) => ReadonlyArray<TranscriptLine>;
  readonly received: (bytes: Uint8Array) => ReadonlyArray<TranscriptLine>;
  /** What the server had begun to send and not finished; null if nothing. */
  readonly unfinished: () => string | null;
}
