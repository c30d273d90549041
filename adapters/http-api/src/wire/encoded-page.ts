import { hash } from "node:crypto";
import type { EmailPage } from "@postern/api";
import type { AgedPage, InboxPage } from "@postern/core/messages";
import { HttpServerResponse } from "effect/http";
import { emailOf } from "./email-of.ts";

/** The JSON of a page and its ETag (RFC 9110, 8.8.3). */
interface EncodedPage {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** The number of characters of a hash in an ETag. They encode 18 bytes of the hash. */
const ETAG_CHARS = 24;

/** The encoded forms of pages that the core caches. Each page is encoded once. */
const ENCODED = new WeakMap<InboxPage, EncodedPage>();

const encode = (page: InboxPage): EncodedPage => {
  const known = ENCODED.get(page);
  if (known !== undefined) return known;
  const { folder, emails, ...rest } = page;
  const body: typeof EmailPage.Type = {
    ok: true,
    folder: folder.path,
    folderId: folder.id,
    ...rest,
    emails: emails.map((entry) => emailOf(entry, folder)),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const encoded = { bytes, etag: `"${hash("sha256", bytes, "base64url").slice(0, ETAG_CHARS)}"` };
  ENCODED.set(page, encoded);
  return encoded;
};

/** Returns a page with its ETag and age, or 304 if the client has the page (spec 5.1). */
export const answerPage = ({ page, age }: AgedPage, ifNoneMatch: string | undefined) => {
  const { bytes, etag } = encode(page);
  const headers = { etag, age: `${Math.floor(age / 1000)}` };
  return ifNoneMatch?.includes(etag) === true
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(bytes, { contentType: "application/json", headers });
};

/**
 * Returns the age that a request's Cache-Control allows (RFC 9111, 5.2.1), in milliseconds; 0 if the header allows no
 * age.
 */
export const maxAgeOf = (cacheControl: string | undefined): number => {
  const seconds = /(?:^|[\s,])max-age="?(\d{1,10})"?(?:[\s,]|$)/i.exec(cacheControl ?? "")?.[1] ?? 0;
  return Number(seconds) * 1000;
};
