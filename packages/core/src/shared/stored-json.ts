import { Option, Schema } from "effect";

/** Writes a value as JSON for a store, and reads the JSON of this version and earlier ones. */
export interface StoredJson<A> {
  readonly write: (value: A) => string;
  /** Returns the value; none if the text is damaged or its version unknown. */
  readonly read: (text: string) => Option.Option<A>;
}

/**
 * The schema of the version field `v` in version 1: the field is absent. A later version sets `v`, and a union of all
 * schemas decodes each version to the current value.
 */
export const VERSION_1 = { v: Schema.optionalKey(Schema.Never) };

/** Returns the stored JSON of values that are written unchanged and read by this schema. */
export const storedJson = <A>(schema: Schema.ConstraintDecoder<A>): StoredJson<A> => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema));
  return { write: (value) => JSON.stringify(value), read: (text) => decode(text) as Option.Option<A> };
};
