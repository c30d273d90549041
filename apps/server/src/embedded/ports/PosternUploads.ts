/** A store of the bytes of uploads, by ids that the service generates and never reuses. If a promise rejects, the service answers 503. */
export interface PosternUploads {
  /**
   * Stores all bytes under a new id. The bytes must be readable once the promise resolves. If the upload is
   * interrupted, the iteration throws, and the service calls `remove`.
   */
  readonly write: (id: string, bytes: AsyncIterable<Uint8Array>) => Promise<unknown>;
  /** Returns the bytes, such as a `Readable` of Node; nothing for an unknown id. */
  readonly read: (id: string) => Promise<AsyncIterable<Uint8Array> | null | undefined>;
  /** Removes the bytes, complete or not; does nothing for an unknown id. */
  readonly remove: (id: string) => Promise<unknown>;
}
