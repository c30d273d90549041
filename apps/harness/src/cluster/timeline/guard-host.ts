const HOST = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch"] as const;

/** The number of stack frames shown of the first forbidden call. */
const TRAPPED_FRAMES = 20;

/**
 * Runs a function that must not ask the host for time, randomness or a later turn, and fails if it did. An exception
 * alone would look like a failed attempt, and the simulation would continue.
 */
export const guardHost = <A>(run: () => A): A => {
  let first: Error | undefined;
  const trap = (name: string) => () => {
    Error.stackTraceLimit = TRAPPED_FRAMES;
    const asked = new Error(`the simulation asked the host: ${name}`);
    first ??= asked;
    throw asked;
  };
  const host = globalThis as unknown as Record<string, unknown>;
  const promise = Promise.prototype as unknown as Record<string, unknown>;
  const restore = [
    ...HOST.map((name) => replace(host, name, trap(name))),
    // A seed makes thousands of expected failures, and their stack traces are never read.
    replace(Error as unknown as Record<string, unknown>, "stackTraceLimit", 0),
    replace(Date as unknown as Record<string, unknown>, "now", trap("Date.now")),
    // Effect draws random hashes of objects; the simulation must not depend on them.
    replace(Math as unknown as Record<string, unknown>, "random", () => 0.5),
    // oxlint-disable-next-line unicorn/no-thenable
    replace(promise, "then", trap("a promise")),
  ];
  let answer: A;
  try {
    answer = run();
  } finally {
    for (const put of restore) put();
  }
  if (first !== undefined) throw first;
  return answer;
};

const replace = (owner: Record<string, unknown>, name: string, by: unknown): (() => void) => {
  const before = owner[name];
  owner[name] = by;
  return () => void (owner[name] = before);
};
