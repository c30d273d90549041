import type { CallOptions } from "./ApiCall.ts";
import type { ApiAnswer } from "./ApiRoute.ts";
import { type Fetch, until } from "./send-to-service.ts";

/** A file to upload. */
export interface FileToUpload extends CallOptions {
  /** File name for the recipients. */
  readonly name: string;
  /** A stream is read to its end before the request, so that the request can be repeated; a file has at most 25 MiB. */
  readonly content: Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Media type. Default: that of the Blob, or `application/octet-stream`. */
  readonly type?: string | undefined;
}

/** An upload, as `attachments` of `POST /api/send` takes it. */
export type UploadedFile = ApiAnswer<"POST /api/uploads">["data"];

/** Uploads a file. */
export const uploadFile = async (baseUrl: string, send: Fetch, file: FileToUpload): Promise<UploadedFile> => {
  const blob = await blobOf(file.content);
  const form = new FormData();
  form.append("file", file.type === undefined ? blob : new Blob([blob], { type: file.type }), file.name);
  const response = await send(`${baseUrl}/api/uploads`, { method: "POST", body: form, ...until(file.signal) });
  const { data } = (await response.json()) as ApiAnswer<"POST /api/uploads">;
  return data;
};

const blobOf = async (content: FileToUpload["content"]): Promise<Blob> => {
  if (content instanceof Blob) return content;
  if (content instanceof ArrayBuffer || content instanceof Uint8Array) return new Blob([new Uint8Array(content)]);
  if (content instanceof ReadableStream) return new Response(content).blob();
  const parts: Array<Uint8Array<ArrayBuffer>> = [];
  for await (const part of content) parts.push(new Uint8Array(part));
  return new Blob(parts);
};

/** Options of a download. */
export interface DownloadOptions extends CallOptions {
  /** One range of bytes, such as `bytes=0-65535`. */
  readonly range?: string | undefined;
}

/**
 * Downloads an attachment by its `url`, or a message by its `rawUrl`. The answer's `body` is the stream, and its headers
 * have the type and the name.
 */
export const downloadFile = async (
  baseUrl: string,
  send: Fetch,
  path: string,
  { range, signal }: DownloadOptions = {},
): Promise<Response> => {
  return send(addressOf(baseUrl, path), { headers: range === undefined ? {} : { range }, ...until(signal) });
};

/** Returns the address that a path of an answer names; the token of the session is for the service alone. */
const addressOf = (baseUrl: string, path: string): string => {
  const base = new URL(`${baseUrl.replace(/\/$/, "")}/`);
  const url = new URL(path, base);
  if (url.origin === base.origin) {
    if (url.pathname.startsWith(base.pathname)) return url.href;
    // A service that does not know of its own path.
    if (url.pathname.startsWith("/api/")) return new URL(`.${url.pathname}${url.search}`, base).href;
  }
  throw new TypeError(`${path} is not an address of ${baseUrl}`);
};
