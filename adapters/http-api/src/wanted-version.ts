/** Returns the version in a field If-Match: of an entity tag (RFC 9110, 8.8.3), or the text as it is; undefined for any. */
export const wantedVersion = (field: string | undefined): string | undefined => {
  const text = field?.trim();
  return text === "*" || text === undefined ? undefined : (/^(?:W\/)?"(.*)"$/.exec(text)?.[1] ?? text);
};
