import { Effect } from "effect";
import { HttpServerRequest, HttpServerResponse } from "effect/http";

/** A page that is the same for everybody: kept once as it is and once compressed. */
export interface CompressedPage {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
  /** A hash of the page (RFC 9110, 8.8.3); weak, because both forms of it have the same. */
  readonly etag: string;
}

/** Compresses a page and names it by its hash. */
export const compressPage = (
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): Effect.Effect<CompressedPage> =>
  Effect.promise(async () => {
    const plain = new TextEncoder().encode(text);
    const packed = new Blob([plain]).stream().pipeThrough(new CompressionStream("gzip"));
    const gzip = new Uint8Array(await new Response(packed).arrayBuffer());
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", plain));
    const etag = `W/"${btoa(String.fromCharCode(...hash.subarray(0, 18)))}"`;
    return { contentType, headers: { "cache-control": "no-cache", ...headers }, plain, gzip, etag };
  });

/** The page in the form the client takes, or 304 where it has it. */
export const answerPage = (page: CompressedPage) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: asked }) => {
    const headers = { ...page.headers, etag: page.etag, vary: "accept-encoding" };
    if (asked["if-none-match"]?.includes(page.etag)) return HttpServerResponse.empty({ status: 304, headers });
    const zipped = takesGzip(asked["accept-encoding"] ?? "");
    return HttpServerResponse.uint8Array(zipped ? page.gzip : page.plain, {
      contentType: page.contentType,
      headers: zipped ? { ...headers, "content-encoding": "gzip" } : headers,
    });
  });

/** Whether gzip is named without a weight of zero (RFC 9110, 12.5.3). */
const takesGzip = (acceptEncoding: string): boolean =>
  /(^|[\s,])(gzip|\*)\s*(?!;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/i.test(acceptEncoding);
