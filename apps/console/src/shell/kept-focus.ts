import { useEffect } from "react";

/** The delay after which a lost focus is checked, because dialogs restore the focus one frame after they close. */
const SETTLED_MILLIS = 100;

/** Returns the element that gets the focus: the current row of a list, otherwise the page's content. */
const home = (): HTMLElement | null =>
  document.querySelector<HTMLElement>("#content .row[tabindex='0']") ?? document.getElementById("content");

/** Moves the focus into the page's content when the focused element was removed, so that it does not fall to the body. */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: EventTarget | null = null;
    let looking: ReturnType<typeof setTimeout> | undefined;
    const note = ({ target }: FocusEvent): void => {
      last = target;
    };
    const look = (): void => {
      looking = undefined;
      const isLost = last instanceof Node && !last.isConnected && document.activeElement === document.body;
      if (isLost) home()?.focus({ preventScroll: true });
    };
    const removals = new MutationObserver(() => {
      if (document.activeElement === document.body) looking ??= setTimeout(look, SETTLED_MILLIS);
    });
    document.addEventListener("focusin", note);
    removals.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", note);
      removals.disconnect();
      clearTimeout(looking);
    };
  }, []);
};
