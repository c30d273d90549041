import type { CallOptions } from "../contract/CallOptions.ts";
import type { UploadedFile } from "../contract/contract.d.ts";
import type { FileToUpload } from "../contract/FileToUpload.ts";
import { type Fetch, until } from "./send-to-service.ts";

/** Uploads a file. */
export const uploadFile = async (baseUrl: string, send: Fetch, file: FileToUpload): Promise<UploadedFile> => {
  const body = await formOf(file);
  const response = await send(`${baseUrl}/api/uploads`, { method: "POST", body, ...until(file.signal) });
  const { data } = (await response.json()) as { readonly data: UploadedFile };
  return data;
};

/** Returns the form of an upload. */
export const formOf = async (file: FileToUpload | File): Promise<FormData> => {
  const form = new FormData();
  const blob = file instanceof Blob ? file : await blobOf(file.content);
  form.append("file", file.type === undefined ? blob : new Blob([blob], { type: file.type }), file.name);
  return form;
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
 * Downloads an attachment from its `url`, or a message from its `rawUrl`. The answer's `body` is the stream, and its
 * headers have the type and the name.
 */
export const downloadFile = async (
  baseUrl: string,
  send: Fetch,
  path: string,
  { range, signal }: DownloadOptions = {},
): Promise<Response> => {
  return send(addressOf(baseUrl, path), { headers: range === undefined ? {} : { range }, ...until(signal) });
};

/** Returns the URL of a path in an answer. It must be a URL of the service, because only the service may get the token of the session. */
const addressOf = (baseUrl: string, path: string): string => {
  const base = new URL(`${baseUrl.replace(/\/$/, "")}/`);
  const url = new URL(path, base);
  if (url.origin === base.origin) {
    if (url.pathname.startsWith(base.pathname)) return url.href;
    // The service does not know the path at which it is mounted.
    if (url.pathname.startsWith("/api/")) return new URL(`.${url.pathname}${url.search}`, base).href;
  }
  throw new TypeError(`${path} is not an address of ${baseUrl}`);
};
