import { Result, Schema } from "effect";
import { describe, expect, it } from "vitest";
import { fieldFaults, fieldOf } from "../../src/shared/field-faults.ts";
import { Text } from "../../src/shared/rules.ts";

const OPTIONS = { errors: "all", onExcessProperty: "error" } as const;

/** The faults of a value, with the names that are known beside an unknown one. */
const faultsOf = (schema: Schema.Codec<unknown, unknown>, value: unknown) =>
  Result.match(Schema.decodeUnknownResult(schema, OPTIONS)(value), {
    onSuccess: () => [],
    onFailure: ({ issue }) => fieldFaults(issue, (name, known) => `${name} is not one of ${known.join()}`),
  });
const faultOf = (schema: Schema.Codec<any, any>, value: unknown) => faultsOf(schema, value)[0]?.message;

describe("the faults of an input", () => {
  const Person = Schema.Struct({
    name: Text,
    ages: Schema.Array(Schema.Int),
    size: Schema.optionalKey(Schema.Literals(["s", "m"])),
  });

  it("name each field by its path, and the fields that exist beside an unknown one", () => {
    expect(faultsOf(Person, { name: "a\0", ages: [1, "2", 1.5], more: 1 })).toEqual(
      expect.arrayContaining([
        { field: "name", message: "must be well-formed text" },
        { field: "ages.1", message: "must be a number" },
        { field: "ages.2", message: "must be a whole number" },
        { field: "more", message: "more is not one of name,ages,size" },
      ]),
    );
    expect(faultsOf(Person, { ages: [] })).toEqual([{ field: "name", message: "is required" }]);
    expect(faultsOf(Person, 7)).toEqual([{ field: "body", message: "must be an object" }]);
    expect(faultsOf(Person, { name: "n", ages: [] })).toEqual([]);
  });

  it.each<[Schema.Codec<any, any>, string]>([
    [Schema.String, "must be a string"],
    [Schema.Number, "must be a number"],
    [Schema.Boolean, "must be true or false"],
    [Schema.Null, "must be null"],
    [Schema.Array(Schema.String), "must be an array"],
    [Schema.Struct({ a: Schema.String }), "must be an object"],
    [Schema.Literals(["s", "m", "l"]), "must be s, m or l"],
    [Schema.NullOr(Schema.String), "must be a string or null"],
    [Schema.Union([Schema.String, Schema.String]), "must be a string"],
    [Schema.Symbol, "must be of another type"],
  ])("describe the kind of a field in words", (schema, message) => {
    expect(faultOf(schema, () => 0)).toBe(message);
  });

  it("are at most a hundred", () => {
    const values = (count: number) => faultsOf(Schema.Array(Schema.Int), Array(count).fill("x")).length;
    expect([values(99), values(100), values(101)]).toEqual([99, 100, 100]);
  });
});

describe("the name of a field", () => {
  it("is its path, cut after 200 characters", () => {
    expect(fieldOf(["a", 0, "b"])).toBe("a.0.b");
    expect(fieldOf([])).toBe("body");
    expect(fieldOf(["x".repeat(200)])).toBe("x".repeat(200));
    expect(fieldOf(["x".repeat(201)])).toBe(`${"x".repeat(200)}…`);
  });
});
