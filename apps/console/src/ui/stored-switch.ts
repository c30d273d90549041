import { useSyncExternalStore } from "react";

/** A setting with two values that the browser remembers. */
interface StoredSwitch {
  readonly turn: (on: boolean) => void;
  readonly useIsOn: () => boolean;
}

/** Returns a switch that is stored under a name. */
export const storedSwitch = (name: string, isOnAtFirst: boolean): StoredSwitch => {
  const listeners = new Set<() => void>();
  const isOn = (): boolean => (localStorage.getItem(name) ?? (isOnAtFirst ? "on" : "off")) === "on";
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    turn: (on) => {
      localStorage.setItem(name, on ? "on" : "off");
      for (const listener of listeners) listener();
    },
    useIsOn: () => useSyncExternalStore(subscribe, isOn),
  };
};
