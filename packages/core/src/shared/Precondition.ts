/**
 * Whether a record is still the version that a client names; called with the record once the change has locked it (spec
 * 2.7).
 */
export type Precondition<A> = (known: A) => boolean;
