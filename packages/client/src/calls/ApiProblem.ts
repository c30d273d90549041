import type { ProblemCode } from "../contract/contract.d.ts";

/** A fault of a request: the field, and what it must be. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** An answer that is not a success (spec 2), or a missing answer: `status` 0 and `code` `offline`. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  /** Identifies the problem, such as `invalid_request`. A newer service may have codes that this version does not list. */
  readonly code: ProblemCode;
  readonly title: string;
  /** The fields at fault. */
  readonly errors: ReadonlyArray<FieldFault>;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null;
  /** Seconds after which to retry, if the answer names a time. */
  readonly retryAfter: number | null;
  readonly #body: unknown;

  constructor(status: number, body: unknown, retryAfter: number | null, options?: ErrorOptions) {
    const title = textOf(body, "title") ?? `The service answered ${status}.`;
    super(textOf(body, "detail") ?? title, options);
    this.status = status;
    this.code = (textOf(body, "code") ?? "unknown") as ProblemCode;
    this.title = title;
    this.errors = errorsOf(body);
    this.requestId = textOf(body, "requestId");
    this.retryAfter = retryAfter;
    this.#body = body;
  }

  /** Returns an additional member that only some problems have, such as `checks` of `account_unverified`. */
  member(name: string): unknown {
    return memberOf(this.#body, name);
  }

  /** Returns the fault of a field; undefined if there is none. */
  fault(field: string): string | undefined {
    return this.errors.find((fault) => fault.field === field)?.message;
  }
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;

const textOf = (body: unknown, name: string): string | null => {
  const value = memberOf(body, name);
  return typeof value === "string" && value !== "" ? value : null;
};

const errorsOf = (body: unknown): ReadonlyArray<FieldFault> => {
  const errors = memberOf(body, "errors");
  return Array.isArray(errors)
    ? errors.flatMap((error: unknown) => {
        const [field, message] = [textOf(error, "field"), textOf(error, "message")];
        return field === null || message === null ? [] : [{ field, message }];
      })
    : [];
};
