import { SchemaAST, type SchemaIssue } from "effect";

/** One fault in a request. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** Maximum number of faults in one response, and of characters in a field's name; a client can influence both. */
export const MAX_FAULTS = 100;
const MAX_FIELD_CHARS = 200;

/** The fault of a field that does not exist. */
type UnknownField = (name: string, known: ReadonlyArray<string>) => string;

/** Returns the faults of an input by field, in plain words that never contain an input value (spec 2). */
export const fieldFaults = (
  issue: SchemaIssue.Issue,
  unknown: UnknownField = () => "is not known",
): ReadonlyArray<FieldFault> => {
  const faults: Array<FieldFault> = [];
  const read = (one: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): void => {
    if (faults.length === MAX_FAULTS) return;
    const fault = (message: string) => void faults.push({ field: fieldOf(path), message });
    switch (one._tag) {
      case "Pointer":
        return read(one.issue, [...path, ...one.path]);
      case "Encoding":
        return read(one.issue, path);
      case "Composite":
        return one.issues.forEach((part) => read(part, path));
      case "AnyOf":
        if (one.issues.length > 0) return one.issues.forEach((part) => read(part, path));
        return fault(`must be ${kindOf(one.ast)}`);
      case "Filter": {
        const { message, expected } = one.filter.annotations ?? {};
        if (typeof message === "string") return fault(message);
        return one.issue._tag === "InvalidValue" && typeof expected === "string"
          ? fault(`must be ${PLAIN[expected] ?? expected}`)
          : read(one.issue, path);
      }
      case "MissingKey":
        return fault("is required");
      case "UnexpectedKey":
        return fault(unknown(String(path.at(-1)), namesOf(one.ast)));
      case "InvalidType":
        return fault(`must be ${kindOf(one.ast)}`);
      case "InvalidValue":
        return fault(typeof one.annotations?.message === "string" ? one.annotations.message : "is not valid");
      default:
        return fault("is not valid");
    }
  };
  read(issue, []);
  return faults;
};

const namesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [];

/** Replacements for the library's descriptions of expected values, which are written for programmers. */
const PLAIN: Readonly<Record<string, string>> = {
  "a string representing a finite number": "a number",
  "an integer": "a whole number",
};

/** Returns the name of a field from its path; `body` for the whole body. */
export const fieldOf = (path: ReadonlyArray<PropertyKey>): string => {
  const field = path.map(String).join(".") || "body";
  return field.length > MAX_FIELD_CHARS ? `${field.slice(0, MAX_FIELD_CHARS)}…` : field;
};

/** Describes the JSON form of a schema's values in words. */
const kindOf = (schema: SchemaAST.AST): string => {
  const ast = SchemaAST.toEncoded(schema);
  switch (ast._tag) {
    case "String":
      return "a string";
    case "Number":
      return "a number";
    case "Boolean":
      return "true or false";
    case "Null":
      return "null";
    case "Arrays":
      return "an array";
    case "Objects":
      return "an object";
    case "Literal":
      return String(ast.literal);
    case "Union": {
      const kinds = [...new Set(ast.types.map(kindOf))];
      return kinds.length < 2 ? kinds.join() : `${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}`;
    }
    default:
      return "of another type";
  }
};
