import { DRAFT_HEADER, MAX_HEADER_CHARS, MAX_HEADERS } from "./limits.ts";
import type { SendRequest } from "./SendRequest.ts";

const CONTROL = /\p{Cc}/u;
const NAME = /^(?:(?:X|List)-[a-z0-9-]{1,70}|Auto-Submitted|Precedence|Feedback-ID|Importance)$/i;
const DRAFT_MARK = new RegExp(`^${DRAFT_HEADER}$`, "i");
const UNSUBSCRIBE = /^List-Unsubscribe(?:-Post)?$/i;
/** A URL that needs no encoding between angle brackets. */
const URL_TEXT = /^https:\/\/[!-;=?-~]{1,900}$/i;

/** Whether a text may be the value of a header field. */
export const isHeaderText = (text: string): boolean => !CONTROL.test(text) && text.length <= MAX_HEADER_CHARS;

/**
 * Returns the further header fields of a message (spec 6.2). `unsubscribe` adds the pair of RFC 8058. Every fault is
 * reported with its field.
 */
export const readHeaderFields = (
  { headers: given = {}, unsubscribe }: Pick<SendRequest, "headers" | "unsubscribe">,
  check: (field: string, good: boolean, message: string) => void,
): ReadonlyArray<readonly [name: string, value: string]> => {
  const headers = Object.entries(given);
  check("headers", headers.length <= MAX_HEADERS, `must have at most ${MAX_HEADERS} fields`);
  for (const [name, value] of headers.slice(0, MAX_HEADERS)) {
    check(
      "headers",
      NAME.test(name),
      "must have the names Auto-Submitted, Precedence, Feedback-ID, Importance, or names that begin with List- or X-",
    );
    check("headers", !DRAFT_MARK.test(name), `must not have ${DRAFT_HEADER}, which marks drafts`);
    check(
      "headers",
      isHeaderText(value),
      `must have values of at most ${MAX_HEADER_CHARS} characters, without control characters`,
    );
  }
  if (unsubscribe === undefined) return headers;
  const { url, oneClick = false } = unsubscribe;
  check("unsubscribe.url", URL_TEXT.test(url), "must be an https URL of at most 900 ASCII characters");
  check("unsubscribe", !headers.some(([name]) => UNSUBSCRIBE.test(name)), "must not go together with List-Unsubscribe");
  return [
    ...headers,
    ["List-Unsubscribe", `<${url}>`],
    ...(oneClick ? [["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"] as const] : []),
  ];
};
