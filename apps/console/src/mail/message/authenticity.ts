import type { Message } from "../emails/message.ts";
import { t } from "../../texts/text.ts";

/** Returns whether the receiving mail server found that the author's domain did not send the message (DMARC). */
export const isForged = ({ authentication }: Pick<Message, "authentication">): boolean =>
  authentication?.dmarc === "fail";

/** Returns the results of the receiving mail server in one line; null if it reports none. */
export const authenticationText = ({ authentication }: Pick<Message, "authentication">): string | null => {
  if (authentication === null) return null;
  const { spf, dkim, dmarc, source } = authentication;
  const results = Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc }).flatMap(([name, result]) =>
    result === null ? [] : [`${name} ${result}`],
  );
  return results.length === 0 ? null : t("{results}, by {server}", { results: results.join(", "), server: source });
};
