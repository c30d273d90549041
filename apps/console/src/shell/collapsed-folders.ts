import { useSyncExternalStore } from "react";

const STORED = "postern-collapsed";
const listeners = new Set<() => void>();
let collapsed: ReadonlySet<string> | undefined;

const read = (): ReadonlySet<string> => {
  try {
    return (collapsed ??= new Set(JSON.parse(localStorage.getItem(STORED) ?? "[]") as ReadonlyArray<string>));
  } catch {
    return (collapsed = new Set());
  }
};

/** Hides or shows the subfolders of a folder; the browser remembers that. */
export const collapseFolder = (id: string, isCollapsed: boolean): void => {
  const others = [...read()].filter((one) => one !== id);
  collapsed = new Set(isCollapsed ? [...others, id] : others);
  localStorage.setItem(STORED, JSON.stringify([...collapsed]));
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The ids of the folders whose subfolders are hidden. */
export const useCollapsedFolders = (): ReadonlySet<string> => useSyncExternalStore(subscribe, read);
