/** The answer to a failure: a problem with its header fields. */
export interface Answer<Problem> {
  readonly problem: Problem;
  readonly headers?: Readonly<Record<string, string>>;
}

type ErrorNamed<Domain, Name extends keyof Domain> = Domain[Name] extends abstract new (...args: never) => infer Made
  ? Extract<Made, { readonly _tag: Name }>
  : never;

/**
 * The answer to each error of a core module, by the error's name; use cases fail with no other errors. `folder` is the
 * field of the request that names a folder.
 */
export type ProblemTable<Module> = {
  readonly [Name in keyof Module as ErrorNamed<Module, Name> extends never ? never : Name]?: (
    error: ErrorNamed<Module, Name>,
    requestId: string,
    folder: string,
  ) => Answer<object>;
};

/** The longest wait for a turn at a mail host, in seconds. A request that would wait longer fails and may be repeated after this time. */
export const HOST_LIMITED_SECONDS = 10;

/** Returns `Retry-After` in whole seconds, at least one (RFC 9110, 10.2.3). */
export const retryAfter = (seconds: number): { readonly "retry-after": string } => ({
  "retry-after": String(Math.max(1, Math.ceil(seconds))),
});

/** The `Retry-After` when a dependency of the service is down or busy (spec 2). */
export const RETRY_SOON = retryAfter(5);
