import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const STORED = "postern-theme";
const listeners = new Set<() => void>();

const chosenTheme = (): Theme => {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
};

/** Applies the theme; on later visits, `theme.js` applies it before the first paint. */
export const chooseTheme = (theme: Theme): void => {
  if (theme === "system") {
    delete document.documentElement.dataset["theme"];
    localStorage.removeItem(STORED);
  } else {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(STORED, theme);
  }
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosenTheme);

const darkScreen = matchMedia("(prefers-color-scheme: dark)");

const subscribeToScreen = (listener: () => void): (() => void) => {
  darkScreen.addEventListener("change", listener);
  return () => darkScreen.removeEventListener("change", listener);
};

/** Returns whether the console is dark, by the choice of the user or of the device. */
export const useIsDark = (): boolean => {
  const theme = useTheme();
  const isScreenDark = useSyncExternalStore(subscribeToScreen, () => darkScreen.matches);
  return theme === "dark" || (theme === "system" && isScreenDark);
};
