import type { Field, JsonSchema } from "./operations.ts";

const NUL = "a\0b";
const HALF_A_PAIR = "\ud800";

/** Texts that some rule of some field is against: controls, spaces, delimiters, and words where a form is wanted. */
const TEXTS = ["", NUL, HALF_A_PAIR, "a\u0007b", "a b,c:d", "no such value", "x".repeat(3_000), "x".repeat(70_000)];

const numbers = ({ minimum, maximum }: JsonSchema): ReadonlyArray<number> =>
  [
    minimum === undefined ? undefined : minimum - 1,
    maximum === undefined ? undefined : maximum + 1,
    -1,
    0,
    1.5,
    2 ** 31,
  ]
    .filter((value) => value !== undefined)
    .filter((value, place, all) => all.indexOf(value) === place);

const lists = ({ items, maxItems }: JsonSchema, sample: unknown): ReadonlyArray<ReadonlyArray<unknown>> => {
  const entry = Array.isArray(sample) ? sample[0] : (items?.examples?.[0] ?? items?.enum?.[0] ?? "x");
  return [[], ...[maxItems ?? 20, 100, 1_000].map((most) => Array.from({ length: most + 1 }, () => entry))];
};

/**
 * Returns values of a field's own JSON type that may be against a rule of it, `sample` being one that is not: beyond each
 * bound, too long, too many, and of no form that a text may be asked for.
 */
export const wrongValues = ({ schema }: Field, sample: unknown): ReadonlyArray<unknown> => {
  switch (schema.type) {
    case "string":
      return schema.maxLength === undefined ? TEXTS : [...TEXTS, "x".repeat(schema.maxLength + 1)];
    case "integer":
    case "number":
      return numbers(schema);
    case "array":
      return lists(schema, sample);
    case "object":
      return (schema.required ?? []).length === 0 ? [{}] : [];
    default:
      return [];
  }
};
