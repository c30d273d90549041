import { Option, Schema } from "effect";

/** How a store writes a value as JSON, and how it reads what this version or an earlier one wrote. */
export interface StoredJson<A> {
  readonly write: (value: A) => string;
  /** None where the text is damaged or of a version that is not known. */
  readonly read: (text: string) => Option.Option<A>;
}

/**
 * Marks the fields of a version 1, whose text names no version. A later version names itself in `v`, and is read by a
 * union of the schemas so far, each decoded to the value of today.
 */
export const VERSION_1 = { v: Schema.optionalKey(Schema.Never) };

/** The JSON of values that this schema decodes and that are written as they are. */
export const storedJson = <A>(schema: Schema.ConstraintDecoder<A>): StoredJson<A> => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema));
  return { write: (value) => JSON.stringify(value), read: (text) => decode(text) as Option.Option<A> };
};
