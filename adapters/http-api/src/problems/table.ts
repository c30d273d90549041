/** The answer to a failure: a problem, and the header fields that go with it. */
export interface Answer<Problem> {
  readonly problem: Problem;
  readonly headers?: Readonly<Record<string, string>>;
}

type ErrorNamed<Domain, Name extends keyof Domain> = Domain[Name] extends abstract new (...args: never) => infer Made
  ? Extract<Made, { readonly _tag: Name }>
  : never;

/** The answer to each error of a module of the core, by the error's name; use cases may fail with no others. */
export type ProblemTable<Module> = {
  readonly [Name in keyof Module as ErrorNamed<Module, Name> extends never ? never : Name]?: (
    error: ErrorNamed<Module, Name>,
    requestId: string,
  ) => Answer<object>;
};

/** `Retry-After`, at least a second, in whole seconds (RFC 9110, 10.2.3). */
export const retryAfter = (seconds: number): { readonly "retry-after": string } => ({
  "retry-after": String(Math.max(1, Math.ceil(seconds))),
});

/** When a client may ask again after something the service depends on was down or busy (spec 2). */
export const RETRY_SOON = retryAfter(5);
