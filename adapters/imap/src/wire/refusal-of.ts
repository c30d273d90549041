import type { ImapFlowError } from "imapflow";
import { THROTTLED } from "./imapflow-internals.ts";

/** Returns the refusal in the text behind a tag, as imapflow reports one. */
export const refusalOf = (text: string): ImapFlowError => {
  const [, responseStatus, serverResponseCode, responseText] =
    /^(\w+) ?(?:\[([^\] ]+)[^\]]*\] ?)?(.*)/.exec(text.trimEnd()) ?? [];
  const code = /request is throttled/i.test(text) ? THROTTLED : undefined;
  return { responseStatus, serverResponseCode, responseText, code } as ImapFlowError;
};
