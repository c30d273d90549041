import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

const STORED = "postern-shortcuts";
const listeners = new Set<() => void>();

/**
 * Returns whether shortcuts are on. Single-key shortcuts disturb speech input and screen readers, so users can turn
 * them off (WCAG 2.1.4).
 */
export const shortcutsAreOn = (): boolean => localStorage.getItem(STORED) !== "off";

export const turnShortcuts = (on: boolean): void => {
  localStorage.setItem(STORED, on ? "on" : "off");
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useShortcutsAreOn = (): boolean => useSyncExternalStore(subscribe, shortcutsAreOn);

const SEQUENCE_MILLIS = 1_200;
let prefix: { readonly key: string; readonly at: number } | null = null;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  target.getAttribute("type") !== "checkbox";

const isCovered = (): boolean =>
  document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") !== null;

/**
 * Registers shortcuts by `KeyboardEvent.key`; `g i` is `g`, then `i`. Shortcuts act while no text field has the focus
 * and no dialog is open; `?` acts even if shortcuts are turned off. Layout effects are used, because users may press a
 * key as soon as the page is painted, before passive effects run.
 */
export const useShortcuts = (shortcuts: Readonly<Record<string, () => void>>): void => {
  const current = useRef(shortcuts);
  useLayoutEffect(() => {
    current.current = shortcuts;
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isCovered()) return;
      if (event.key !== "?" && !shortcutsAreOn()) return;
      const isSequence = prefix !== null && event.timeStamp - prefix.at < SEQUENCE_MILLIS;
      const name = isSequence ? `${prefix!.key} ${event.key}` : event.key;
      const act = current.current[name];
      if (act !== undefined) {
        event.preventDefault();
        act();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
};

/** Stores the first of two keys. Registered once per page, after all other listeners. */
export const useKeySequences = (): void => {
  useLayoutEffect(() => {
    const remember = (event: KeyboardEvent): void => {
      prefix = event.key === "g" && !isTyping(event.target) ? { key: "g", at: event.timeStamp } : null;
    };
    window.addEventListener("keydown", remember);
    return () => window.removeEventListener("keydown", remember);
  }, []);
};
