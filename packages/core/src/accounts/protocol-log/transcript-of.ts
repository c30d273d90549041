import { lineReader, type StreamLine } from "./line-reader.ts";
import type { Transcript, TranscriptLine } from "./Transcript.ts";

/** Returns a transcript that formats the lines of a conversation with these functions. */
export const transcriptOf = (
  withLiterals: boolean,
  sentText: (line: StreamLine) => string,
  receivedText: (line: StreamLine) => string,
): Transcript => {
  const lines: Array<TranscriptLine> = [];
  const client = lineReader(withLiterals, (line) => lines.push({ from: "C", text: sentText(line) }));
  const server = lineReader(withLiterals, (line) => lines.push({ from: "S", text: receivedText(line) }));
  const taken = () => lines.splice(0);
  return {
    sent: (bytes) => {
      client.read(bytes);
      return taken();
    },
    received: (bytes) => {
      server.read(bytes);
      return taken();
    },
    unfinished: server.unfinished,
  };
};
