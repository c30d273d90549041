import { type HeaderField } from "../mail/index.ts";
import { headersOf } from "../mail/neighbours.ts";

/** The results of a mail server's authentication of a message (RFC 8601). */
export interface AuthenticationResults {
  /** A result such as `pass`, `fail` or `none`; null if the server gave no result. */
  readonly spf: string | null;
  readonly dkim: string | null;
  readonly dmarc: string | null;
  /** The name of the server that made the checks. */
  readonly source: string;
}

/**
 * Returns the results in the topmost Authentication-Results, which the receiving server adds; null if there is none. If
 * a method has several results, `pass` takes precedence.
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

/** A signature that passed: its domain and, if the server reports them, its selector and the beginning of its value. */
interface PassedSignature {
  readonly domain: string;
  readonly selector: string | null;
  readonly beginning: string | null;
}

/** Returns the DKIM signatures that passed according to the topmost Authentication-Results (RFC 8601, 2.7.1; RFC 6008). */
export const passedSignatures = (headers: ReadonlyArray<HeaderField>): ReadonlyArray<PassedSignature> => {
  const [topmost = ""] = headersOf(headers, "Authentication-Results");
  const [, ...statements] = withoutComments(topmost).split(";");
  return statements.flatMap((statement) => {
    if (!/^\s*dkim(?:\s*\/\s*\d+)?\s*=\s*pass\b/i.test(statement)) return [];
    const property = (name: string) =>
      new RegExp(`\\bheader\\s*\\.\\s*${name}\\s*=\\s*"?([^\\s";]+)`, "i").exec(statement)?.[1] ?? null;
    const domain = property("d") ?? property("i")?.replace(/^.*@/, "") ?? null;
    if (domain === null) return [];
    const selector = property("s")?.toLowerCase() ?? null;
    return [{ domain: domain.toLowerCase(), selector, beginning: property("b") }];
  });
};

/** Removes comments, which may contain semicolons and nest. Quoted text is not a comment. */
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
