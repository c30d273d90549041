/** Waiting connections, first come first served. All connections of the process share its event loop. */
const waiting: Array<() => void> = [];

/** Resolves in a later turn of the event loop. In each turn, only one waiting connection continues. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });

const giveTurn = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
};
