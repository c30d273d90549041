/** Media types that no browser executes, whatever the content. Other types are sent as plain bytes. */
const INERT =
  /^(?:image\/(?:png|jpeg|gif|webp|bmp|avif|heic|tiff)|audio\/[a-z0-9.+-]{1,60}|video\/[a-z0-9.+-]{1,60}|application\/(?:pdf|zip|gzip))$/;

/**
 * Returns the headers of untrusted content. No browser executes content of this type or displays it as a page of this
 * origin, and a browser saves the content under a name without a path.
 */
export const downloadHeaders = (name: string | null, type: string, tag: string): Readonly<Record<string, string>> => ({
  "content-type": INERT.test(type) ? type : "application/octet-stream",
  "content-disposition": contentDisposition(name),
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "accept-ranges": "bytes",
  // The content of a message never changes.
  "cache-control": "private, max-age=3600, immutable",
  etag: `"${tag}"`,
});

/** Returns `attachment` with the name in ASCII and, if it has other characters, in UTF-8 (RFC 6266). */
const contentDisposition = (given: string | null): string => {
  const name = fileName(given);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const extended =
    plain === name ? "" : `; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percent)}`;
  return `attachment; filename="${plain}"${extended}`;
};

/** Removes paths, leading dots and characters that hide the real extension. */
const fileName = (given: string | null): string =>
  (given ?? "")
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "")
    .replaceAll(/[/\\:]/g, "_")
    .replace(/^[.\s]+/, "")
    .trim()
    .slice(0, 200)
    .toWellFormed() || "attachment";

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
