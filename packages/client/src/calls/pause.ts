/**
 * Returns a wait that doubles with each failure, up to a limit; half of the wait is random, so that clients spread out.
 */
export const backoffMillis = (failures: number, firstMillis: number, mostMillis: number): number =>
  Math.min(firstMillis * 2 ** failures, mostMillis) * (0.5 + Math.random() / 2);

/** Waits; rejects with the reason of the signal as soon as it is aborted. */
export const pause = (millis: number, signal?: AbortSignal | null): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(() => resolve(), millis);
  });
  return orAborted(passed, signal).finally(() => clearTimeout(timer));
};

/** Settles as the promise does, or rejects with the reason of the signal as soon as it is aborted. */
export const orAborted = <A>(promise: Promise<A>, signal?: AbortSignal | null): Promise<A> => {
  if (signal == null) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
};
