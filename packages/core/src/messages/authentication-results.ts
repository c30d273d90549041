import { type HeaderField } from "../mail/index.ts";
import { headersOf } from "../mail/neighbours.ts";

/** The results of a mail server's checks of a message (RFC 8601). */
export interface AuthenticationResults {
  /** A result such as `pass`, `fail` or `none`; null if the server gave no result. */
  readonly spf: string | null;
  readonly dkim: string | null;
  readonly dmarc: string | null;
  /** The name of the server that made the checks. */
  readonly source: string;
}

/**
 * Returns the results in the topmost Authentication-Results, which the receiving server adds; null if there is none. Of
 * several results of one method, `pass` takes precedence.
 */
export const authenticationResults = (headers: ReadonlyArray<HeaderField>): AuthenticationResults | null => {
  const [topmost] = headersOf(headers, "Authentication-Results");
  if (topmost === undefined) return null;
  const [source = "", ...statements] = withoutComments(topmost).split(";");
  const resultOf = (method: string): string | null => {
    const results = statements.flatMap((statement) => {
      const [, name, result] = /^\s*([\w-]+)(?:\s*\/\s*\d+)?\s*=\s*([\w-]+)/.exec(statement) ?? [];
      return name?.toLowerCase() === method && result !== undefined ? [result.toLowerCase()] : [];
    });
    return results.includes("pass") ? "pass" : (results[0] ?? null);
  };
  const [id = ""] = source.trim().split(/\s+/);
  return { spf: resultOf("spf"), dkim: resultOf("dkim"), dmarc: resultOf("dmarc"), source: id };
};

/** Removes comments, which may contain semicolons and nest; text in quotes is not a comment. */
const withoutComments = (value: string): string => {
  let [depth, quoted, plain] = [0, false, ""];
  for (const character of value) {
    if (depth === 0 && character === '"') quoted = !quoted;
    if (!quoted && character === "(") depth++;
    if (depth === 0) plain += character;
    if (!quoted && character === ")" && depth > 0) depth--;
  }
  return plain;
};
