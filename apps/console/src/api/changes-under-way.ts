const POLL_MILLIS = 100;

let count = 0;

/** Returns a fetch that counts the requests with changes until they are answered. */
export const countingChanges =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    if ((init?.method ?? "GET") === "GET") return send(input, init);
    count++;
    try {
      return await send(input, init);
    } finally {
      count--;
    }
  };

/** Waits until no request with changes has been in flight for a moment, because one may follow another. Gives up after `mostMillis`. */
export const awaitChanges = async (mostMillis: number): Promise<void> => {
  const end = performance.now() + mostMillis;
  for (let quiet = 0; quiet < 2 && performance.now() < end; quiet = count === 0 ? quiet + 1 : 0) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
  }
};
