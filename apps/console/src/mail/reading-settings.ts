import { useSyncExternalStore } from "react";

const STORED = "postern-conversations";
const listeners = new Set<() => void>();

const conversationsAreShown = (): boolean => localStorage.getItem(STORED) !== "off";

export const showConversations = (shown: boolean): void => {
  localStorage.setItem(STORED, shown ? "on" : "off");
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a message is shown with the others of its conversation; by default it is. */
export const useConversationsAreShown = (): boolean => useSyncExternalStore(subscribe, conversationsAreShown);
