import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { Effect } from "effect";
import { HttpServerRequest, HttpServerResponse } from "effect/http";

/** A page that is the same for every client, stored uncompressed and in each compressed form. */
export interface CompressedPage {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Uint8Array;
  /** The compressed forms, the smallest first. */
  readonly coded: ReadonlyArray<{ readonly coding: string; readonly bytes: Uint8Array }>;
  /** A hash of the page (RFC 9110, 8.8.3); weak, because all forms share it. */
  readonly etag: string;
}

/** The best quality that compresses a page of 3 MB in a tenth of a second; the highest quality takes eight seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Compresses a page and computes its ETag. */
export const compressPage = (
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): Effect.Effect<CompressedPage> =>
  Effect.promise(async () => {
    const plain = new TextEncoder().encode(text);
    const coded = [
      { coding: "br", bytes: await promisify(brotliCompress)(plain, BROTLI) },
      { coding: "gzip", bytes: await promisify(gzip)(plain) },
    ];
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", plain));
    const etag = `W/"${btoa(String.fromCharCode(...hash.subarray(0, 18)))}"`;
    return { contentType, headers: { "cache-control": "no-cache", ...headers }, plain, coded, etag };
  });

/** Returns the page in the smallest form that the client accepts, or 304 if the client has it. */
export const answerPage = (page: CompressedPage) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: asked }) => {
    const headers = { ...page.headers, etag: page.etag, vary: "accept-encoding" };
    if (asked["if-none-match"]?.includes(page.etag)) return HttpServerResponse.empty({ status: 304, headers });
    const accepted = asked["accept-encoding"] ?? "";
    const form = page.coded.find(({ coding }) => accepts(accepted, coding));
    return HttpServerResponse.uint8Array(form?.bytes ?? page.plain, {
      contentType: page.contentType,
      headers: form === undefined ? headers : { ...headers, "content-encoding": form.coding },
    });
  });

/**
 * Returns whether the client accepts a coding, by the weight of the coding, otherwise by the weight of `*` (RFC 9110,
 * 12.5.3).
 */
const accepts = (acceptEncoding: string, coding: string): boolean => {
  const weights = new Map(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .map((one) => /^\s*([^\s;]+)\s*(?:;\s*q=([\d.]+))?\s*$/.exec(one) ?? [])
      .map(([, name, weight = "1"]) => [name, Number(weight)]),
  );
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
};
