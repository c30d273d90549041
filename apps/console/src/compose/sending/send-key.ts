import { useEffect, useRef } from "react";

/** Calls `send` when Ctrl+Enter (on a Mac, Command+Enter) is pressed in the form. */
export const useSendKey = (send: () => void): void => {
  const current = useRef(send);
  useEffect(() => {
    current.current = send;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isInForm = event.target instanceof Element && event.target.closest(".compose-form") !== null;
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !isInForm) return;
      event.preventDefault();
      // The event is stopped, because the editor would insert a line break.
      event.stopPropagation();
      current.current();
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, []);
};
