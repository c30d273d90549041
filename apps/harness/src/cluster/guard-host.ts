const HOST = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch"] as const;

/**
 * Runs a function that must not ask the host for time, randomness or a later turn. Fails if it did: a fake that only
 * threw would be taken for a broken attempt, and the simulation would go on.
 */
export const guardHost = <A>(run: () => A): A => {
  const asked = new Set<string>();
  const trap = (name: string) => () => {
    asked.add(name);
    throw new Error(`${name} in a simulation`);
  };
  const host = globalThis as unknown as Record<string, unknown>;
  const promise = Promise.prototype as unknown as Record<string, unknown>;
  const restore = [
    ...HOST.map((name) => replace(host, name, trap(name))),
    replace(Date as unknown as Record<string, unknown>, "now", trap("Date.now")),
    replace(Math as unknown as Record<string, unknown>, "random", trap("Math.random")),
    // oxlint-disable-next-line unicorn/no-thenable
    replace(promise, "then", trap("a promise")),
  ];
  let answer: A;
  try {
    answer = run();
  } finally {
    for (const put of restore) put();
  }
  if (asked.size > 0) throw new Error(`the simulation asked the host: ${[...asked].join(", ")}`);
  return answer;
};

const replace = (owner: Record<string, unknown>, name: string, by: unknown): (() => void) => {
  const before = owner[name];
  owner[name] = by;
  return () => void (owner[name] = before);
};
