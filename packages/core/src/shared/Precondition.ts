/** Checks whether a record is still the version that a client names. A change calls it after it has locked the record (spec 2.7). */
export type Precondition<A> = (known: A) => boolean;
