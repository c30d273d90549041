import { useEffect } from "react";

/** Dialogs restore the focus a frame after they close, so a lost focus is checked only after this delay. */
const SETTLED_MILLIS = 100;

/** Focuses the page's content when the focused element was removed, so that the focus does not fall to the body. */
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
      if (isLost) document.getElementById("content")?.focus({ preventScroll: true });
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
