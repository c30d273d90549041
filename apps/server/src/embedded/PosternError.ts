/** An invalid field, such as `to`, and what it must be. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** The error of a failed call. */
export class PosternError extends Error {
  override readonly name = "PosternError";
  /** Identifies the kind of error and never changes: a code of the API such as `folder_not_found`, `invalid_option` or `stopped`. */
  readonly code: string;
  /** The HTTP status of a problem of the API; 0 for an error without a status. */
  readonly status: number;
  readonly errors: ReadonlyArray<FieldFault>;
  /** The id of the call in the log; null if the call has none. */
  readonly requestId: string | null;
  readonly #problem: object;

  constructor(
    message: string,
    about: {
      readonly code: string;
      readonly status?: number;
      readonly errors?: ReadonlyArray<FieldFault>;
      readonly requestId?: string;
      readonly problem?: object;
    },
  ) {
    super(message);
    this.code = about.code;
    this.status = about.status ?? 0;
    this.errors = about.errors ?? [];
    this.requestId = about.requestId ?? null;
    this.#problem = about.problem ?? {};
  }

  /** Returns an additional member that only some problems have, such as `checks` of `account_unverified`. */
  member(name: string): unknown {
    return Reflect.get(this.#problem, name);
  }
}
