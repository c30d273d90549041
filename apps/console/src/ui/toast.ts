import { useSyncExternalStore } from "react";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
}

const SHOWN_MILLIS = 8_000;

let toasts: ReadonlyArray<Toast> = [];
let last = 0;
const listeners = new Set<() => void>();

const replace = (next: ReadonlyArray<Toast>): void => {
  toasts = next;
  for (const listener of listeners) listener();
};

/** Shows a line for some seconds, with an optional Undo. */
export const toast = (text: string, undo?: () => void, millis = SHOWN_MILLIS): void => {
  const id = ++last;
  replace([...toasts.slice(-2), { id, text, ...(undo === undefined ? {} : { undo }) }]);
  setTimeout(() => dismiss(id), millis);
};

export const dismiss = (id: number): void => replace(toasts.filter((one) => one.id !== id));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useToasts = (): ReadonlyArray<Toast> => useSyncExternalStore(subscribe, () => toasts);
