/**
 * Whether a record is still the version that a client names, asked of the record as it is when the change locks it
 * (spec 2.7).
 */
export type Precondition<A> = (known: A) => boolean;
