import type { HeaderField } from "../../mail/index.ts";
import { headersOf } from "../../mail/neighbours.ts";
import { passedSignatures } from "../authentication-results.ts";
import { mailOfUrl } from "./mail-of-url.ts";

/** The way to leave the mailing list of a message, with the message's URL for it (spec 5.8). */
export interface UnsubscribeWay {
  readonly method: "one_click" | "mailto" | "link";
  readonly url: string;
}

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: {
  new (url: string): Readonly<Record<"protocol" | "username" | "password", string>>;
  canParse(url: string): boolean;
};

/** The maximum length of a URL. Mail servers and browsers have limits of this size. */
const MAX_URL_CHARS = 2_048;

/** The fields that a signature must cover (RFC 8058, 4). */
const COVERED = ["list-unsubscribe", "list-unsubscribe-post"];

/**
 * Returns the way to leave the list of a message (RFC 2369, 3.2). The order of preference is: one click, if a valid
 * signature covers the fields (RFC 8058); a mail; a link for the user to open. Null if the message offers no way.
 */
export const unsubscribeWayOf = (headers: ReadonlyArray<HeaderField>): UnsubscribeWay | null => {
  const urls = [
    ...headersOf(headers, "List-Unsubscribe")
      .join(",")
      .matchAll(/<([^<>]*)>/g),
  ]
    .map(([, url = ""]) => url.replaceAll(/\s/g, ""))
    .filter((url) => url.length <= MAX_URL_CHARS && URL.canParse(url));
  const find = (scheme: string) =>
    urls.find((url) => {
      const { protocol, username, password } = new URL(url);
      return protocol === scheme && username === "" && password === "";
    });
  const secure = find("https:");
  if (secure !== undefined && isOneClick(headers)) return { method: "one_click", url: secure };
  const mailto = urls.find((url) => mailOfUrl(url) !== null);
  if (mailto !== undefined) return { method: "mailto", url: mailto };
  const link = secure ?? find("http:");
  return link === undefined ? null : { method: "link", url: link };
};

/**
 * Returns whether the list accepts a POST without a confirmation. A second field of the same name is refused, because a
 * signature might not cover it.
 */
const isOneClick = (headers: ReadonlyArray<HeaderField>): boolean => {
  const posts = headersOf(headers, "List-Unsubscribe-Post");
  const isSingle = headersOf(headers, "List-Unsubscribe").length === 1 && posts.length === 1;
  return isSingle && posts[0]?.toLowerCase() === "list-unsubscribe=one-click" && isCovered(headers);
};

/**
 * Returns whether a valid signature covers the fields. If the results do not tell which of a domain's signatures
 * passed, each candidate must cover the fields.
 */
const isCovered = (headers: ReadonlyArray<HeaderField>): boolean => {
  const signatures = headersOf(headers, "DKIM-Signature").map(tagsOf);
  return passedSignatures(headers).some(({ domain, selector, beginning }) => {
    const possible = signatures.filter(
      (tags) =>
        tags.get("d")?.toLowerCase() === domain &&
        (selector === null || tags.get("s")?.toLowerCase() === selector) &&
        (beginning === null || tags.get("b")?.startsWith(beginning) === true),
    );
    return possible.length > 0 && possible.every(coversFields);
  });
};

const coversFields = (tags: ReadonlyMap<string, string>): boolean => {
  const covered = new Set(tags.get("h")?.toLowerCase().split(":"));
  return COVERED.every((field) => covered.has(field));
};

/** Returns the tags of a DKIM-Signature without their blanks (RFC 6376, 3.2). */
const tagsOf = (value: string): ReadonlyMap<string, string> =>
  new Map(
    value.split(";").flatMap((tag) => {
      const [, name, text] = /^\s*([a-z]\w*)\s*=([\s\S]*)$/i.exec(tag) ?? [];
      return name === undefined || text === undefined
        ? []
        : [[name.toLowerCase(), text.replaceAll(/\s/g, "")] as const];
    }),
  );
