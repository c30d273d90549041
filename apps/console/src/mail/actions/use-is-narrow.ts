import { useSyncExternalStore } from "react";

const narrowScreen = matchMedia("(max-width: 46rem)");

const subscribe = (listener: () => void): (() => void) => {
  narrowScreen.addEventListener("change", listener);
  return () => narrowScreen.removeEventListener("change", listener);
};

/** Returns whether the window is too narrow for all actions on a message in one row. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrowScreen.matches);
