import type { Precondition } from "@postern/core/shared";
import { setHeader } from "./answer.ts";

/** Returns the version in an If-Match field, which is an entity tag (RFC 9110, 8.8.3) or plain text; undefined if any version matches. */
export const wantedVersion = (field: string | undefined): string | undefined => {
  const text = field?.trim();
  return text === "*" || text === undefined ? undefined : (/^(?:W\/)?"(.*)"$/.exec(text)?.[1] ?? text);
};

/** Returns a check that a record has the version in the If-Match field; undefined if the field allows any version. */
export const precondition = <A>(
  { "if-match": field }: { readonly "if-match"?: string },
  versionOf: (known: A) => string,
): Precondition<A> | undefined => {
  const wanted = wantedVersion(field);
  return wanted === undefined ? undefined : (known) => versionOf(known) === wanted;
};

/** Sets the ETag field of the answer to a version. */
export const setVersion = (version: string) => setHeader("etag", `"${version}"`);
