/** Types that no browser runs, whatever is in them; anything else is bytes. */
const INERT =
  /^(?:image\/(?:png|jpeg|gif|webp|bmp|avif|heic|tiff)|audio\/[a-z0-9.+-]{1,60}|video\/[a-z0-9.+-]{1,60}|application\/(?:pdf|zip|gzip))$/;

/**
 * Headers of bytes that a stranger made: of no type a browser would run, never shown as a page of ours, and
 * saved under a name that is only a name. `asIs` is a type of our own choice.
 */
export const downloadHeaders = (name: string | null, type: string, tag: string): Readonly<Record<string, string>> => ({
  "content-type": INERT.test(type) ? type : "application/octet-stream",
  "content-disposition": contentDisposition(name),
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "accept-ranges": "bytes",
  // The bytes of a message never change.
  "cache-control": "private, max-age=3600, immutable",
  etag: `"${tag}"`,
});

/** `attachment`, with the name in ASCII and, where it is more than that, in UTF-8 (RFC 6266). */
const contentDisposition = (given: string | null): string => {
  const name = fileName(given);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const extended =
    plain === name ? "" : `; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percent)}`;
  return `attachment; filename="${plain}"${extended}`;
};

/** Neither a path nor hidden, and without characters that deceive about its end. */
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
