import type { CallOptions } from "./CallOptions.ts";

/** A file to upload. */
export interface FileToUpload extends CallOptions {
  /** File name for the recipients. */
  readonly name: string;
  /** A stream is read to its end before the request, so that the request can be repeated; a file has at most 25 MiB. */
  readonly content: Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Media type. Default: the type of the Blob, or `application/octet-stream`. */
  readonly type?: string | undefined;
}
