import { useSyncExternalStore } from "react";

let faults: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

const replace = (next: ReadonlyMap<string, string>): void => {
  faults = next;
  for (const listener of listeners) listener();
};

/** Shows the reason why the last action failed in the rows of its messages. */
export const tellInRows = (ids: Iterable<string>, fault: string): void =>
  replace(new Map([...faults, ...[...ids].map((id) => [id, fault] as const)]));

/** Removes the faults of messages before another action on them. */
export const forgetFaults = (ids: Iterable<string>): void => {
  if (faults.size === 0) return;
  const rest = new Map(faults);
  for (const id of ids) rest.delete(id);
  replace(rest);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The faults of messages, by id. */
export const useRowFaults = (): ReadonlyMap<string, string> => useSyncExternalStore(subscribe, () => faults);
