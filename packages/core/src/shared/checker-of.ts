import { Effect, Result, Schema, type SchemaAST, SchemaIssue } from "effect";
import { type FieldFault, fieldFaults } from "./field-faults.ts";
import { InputInvalid } from "./InputInvalid.ts";
import { RecordId } from "./rules.ts";

type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>;
type Given<F extends Fields> = { readonly [K in keyof F]?: unknown };

/**
 * Returns a function that finds every fault of the given fields of an input. Without such a fault, it applies the rule
 * about several fields together.
 */
export const faultsBy = <F extends Fields>(
  fields: F,
  whole?: SchemaAST.Filter<never>,
): ((input: Given<F>) => ReadonlyArray<FieldFault>) => {
  const readers = Object.entries(fields).map(
    ([name, field]) => [name, Schema.decodeUnknownResult(field, ALL)] as const,
  );
  const readWhole = Schema.decodeUnknownResult(
    whole === undefined ? Schema.Unknown : Schema.Unknown.check(whole as SchemaAST.Filter<unknown>),
    ALL,
  );
  return (input) => {
    const faults = readers.flatMap(([name, read]) => {
      const value = input[name];
      return value === undefined ? [] : Result.match(read(value), { onFailure: faultsIn(name), onSuccess: () => [] });
    });
    return faults.length > 0 ? faults : Result.match(readWhole(input), { onFailure: faultsIn(), onSuccess: () => [] });
  };
};

const ALL = { errors: "all" } as const;

const faultsIn =
  (...path: ReadonlyArray<string>) =>
  ({ issue }: Schema.SchemaError) =>
    fieldFaults(path.length === 0 ? issue : new SchemaIssue.Pointer(path, issue));

/** Returns a check of the input of a use case, which fails with every fault of the given fields. */
export const checkerOf = <F extends Fields>(
  fields: F,
  whole?: SchemaAST.Filter<never>,
): ((input: Given<F>) => Effect.Effect<void, InputInvalid>) => {
  const faultsOf = faultsBy(fields, whole);
  return (input) => Effect.suspend(() => failOn(faultsOf(input)));
};

/** Fails if there are faults. */
export const failOn = (errors: ReadonlyArray<FieldFault>): Effect.Effect<void, InputInvalid> =>
  errors.length === 0 ? Effect.void : Effect.fail(new InputInvalid({ errors }));

/** Fails unless the text may be the id of a record. */
export const checkId = checkerOf({ id: RecordId });
