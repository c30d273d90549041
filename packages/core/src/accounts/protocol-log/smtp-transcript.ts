import type { StreamLine } from "./line-reader.ts";
import type { Transcript } from "./Transcript.ts";
import { transcriptOf } from "./transcript-of.ts";

const PLAIN_COMMAND = /^(EHLO|HELO|LHLO|STARTTLS|MAIL|RCPT|DATA|BDAT|RSET|NOOP|QUIT)(\s|$)/i;
const REPLY = /^(\d{3})([ -]|$)/;

const removed = ({ bytes }: StreamLine): string => `<${bytes} removed>`;

/**
 * Reads an SMTP conversation without its secrets (spec 10.5). Of a sign-in, it keeps only the command, the mechanism
 * and the last reply. The message itself never reaches this reader.
 */
export const smtpTranscript = (): Transcript => {
  let isSigningIn = false;
  let isGreeted = false;

  const sentText = (line: StreamLine): string => {
    if (isSigningIn) return "<removed>";
    const mechanism = /^AUTH(?=\s|$)( [\w-]{1,20}(?=\s|$))?/i.exec(line.text)?.[0];
    if (mechanism === undefined) return PLAIN_COMMAND.test(line.text) ? line.text : removed(line);
    isSigningIn = true;
    return `${mechanism} <removed>`;
  };

  const receivedText = (line: StreamLine): string => {
    const [, code, separator] = REPLY.exec(line.text) ?? [];
    if (code === undefined && isGreeted) return removed(line);
    // The greeting cannot repeat a secret, because nothing was sent before it.
    isGreeted = true;
    if (isSigningIn && code === "334") return "334 <removed>";
    if (separator !== "-") isSigningIn = false;
    return line.text;
  };

  return transcriptOf(false, sentText, receivedText);
};
