/** Checks whether the version that a client names is the current one. A change calls it after locking the record (spec 2.7). */
export type Precondition<A> = (known: A) => boolean;
