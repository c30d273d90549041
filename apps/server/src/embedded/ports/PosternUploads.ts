/** A store of the bytes of uploads, by ids that the service generates and never reuses. A promise that rejects is a 503. */
export interface PosternUploads {
  /**
   * Stores all bytes under a new id; they must be readable once the promise resolves. The iteration throws if the upload
   * breaks off; `remove` follows then.
   */
  readonly write: (id: string, bytes: AsyncIterable<Uint8Array>) => Promise<unknown>;
  /** Returns the bytes, such as a `Readable` of Node; nothing if the id has none. */
  readonly read: (id: string) => Promise<AsyncIterable<Uint8Array> | null | undefined>;
  /** Removes the bytes, complete or not; does nothing if the id has none. */
  readonly remove: (id: string) => Promise<unknown>;
}
