import { useSyncExternalStore } from "react";
import { t } from "../texts/text.ts";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
  /** Whether the toast stays until it is replaced. */
  readonly isProgress?: boolean;
}

const SHOWN_MILLIS = 8_000;
const MAX_TOASTS = 3;
const MAX_UNDOS = 20;

let toasts: ReadonlyArray<Toast> = [];
let last = 0;
/** The actions that can be undone, even after their toasts have disappeared; the latest is last. */
let undos: ReadonlyArray<Required<Pick<Toast, "id" | "undo">>> = [];
const listeners = new Set<() => void>();

const replace = (next: ReadonlyArray<Toast>): void => {
  toasts = next;
  for (const listener of listeners) listener();
};

/**
 * Shows a line for some seconds, with an optional Undo. With `undoMillis`, the line is shown for that time, and Undo is
 * not possible later.
 */
export const toast = (text: string, undo?: () => void, undoMillis?: number): void => {
  const id = ++last;
  show(id, text, undo, undoMillis ?? SHOWN_MILLIS);
  if (undoMillis !== undefined) setTimeout(() => forgetUndo(id), undoMillis);
};

const show = (id: number, text: string, undo: (() => void) | undefined, millis: number): void => {
  replace([...toasts.slice(1 - MAX_TOASTS), { id, text, ...(undo === undefined ? {} : { undo }) }]);
  if (undo !== undefined) rememberUndo(id, undo);
  setTimeout(() => dismiss(id), millis);
};

const forgetUndo = (id: number): void => {
  undos = undos.filter((one) => one.id !== id);
};

const rememberUndo = (id: number, undo: () => void): void => {
  forgetUndo(id);
  undos = [...undos, { id, undo }].toSorted((one, other) => one.id - other.id).slice(-MAX_UNDOS);
};

/**
 * Begins an action that the user can undo before it is done. The returned function sets the function that undoes the
 * action, if any, and shows a line. If the user has already requested Undo, it undoes the action instead.
 */
export const expectUndo = (): ((undo?: () => void, text?: string | null) => void) => {
  const id = ++last;
  let isAsked = false;
  rememberUndo(id, () => {
    isAsked = true;
  });
  return (undo, text = null) => {
    forgetUndo(id);
    if (isAsked && undo !== undefined) undo();
    else if (text !== null) show(id, text, undo, SHOWN_MILLIS);
  };
};

/** Shows the progress of an action on many messages until it ends. */
export const showProgress = (doing: string, total: number) => {
  const id = ++last;
  const update = (done: number): void => {
    const shown = { id, text: t("{action}: {done} of {total}", { action: doing, done, total }), isProgress: true };
    replace([...toasts.filter((one) => one.id !== id).slice(1 - MAX_TOASTS), shown]);
  };
  update(0);
  return { update, end: () => dismiss(id) };
};

export const dismiss = (id: number): void => replace(toasts.filter((one) => one.id !== id));

/** Undoes the action of a toast, once. */
export const undo = (id: number): void => {
  const found = undos.find((one) => one.id === id);
  forgetUndo(id);
  dismiss(id);
  found?.undo();
};

/** Undoes the latest action that was not undone yet. */
export const undoLatest = (): void => {
  const latest = undos.at(-1);
  if (latest !== undefined) undo(latest.id);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useToasts = (): ReadonlyArray<Toast> => useSyncExternalStore(subscribe, () => toasts);
