import type { Precondition } from "@postern/core/shared";
import { setHeader } from "./answer.ts";

/** Returns the version in a field If-Match: of an entity tag (RFC 9110, 8.8.3), or the text as it is; undefined for any. */
export const wantedVersion = (field: string | undefined): string | undefined => {
  const text = field?.trim();
  return text === "*" || text === undefined ? undefined : (/^(?:W\/)?"(.*)"$/.exec(text)?.[1] ?? text);
};

/** Returns whether a record is the version in the field If-Match; undefined if the field allows any version. */
export const precondition = <A>(
  { "if-match": field }: { readonly "if-match"?: string },
  versionOf: (known: A) => string,
): Precondition<A> | undefined => {
  const wanted = wantedVersion(field);
  return wanted === undefined ? undefined : (known) => versionOf(known) === wanted;
};

/** Sets the field ETag of the answer to a version. */
export const setVersion = (version: string) => setHeader("etag", `"${version}"`);
