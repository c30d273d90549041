import { useSyncExternalStore } from "react";

let isReached = true;
const listeners = new Set<() => void>();

/** Records whether the last request reached the service. */
export const noteReach = (reached: boolean): void => {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
};

/** Returns whether the browser has a network, and its last request reached the service. */
export const isReachable = (): boolean => navigator.onLine && isReached;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
};

export const useReachable = (): boolean => useSyncExternalStore(subscribe, isReachable);

/** Resolves when the browser has a network again, or after a time in which the service may have recovered. */
export const reachAgain = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    window.addEventListener("online", done);
  });
