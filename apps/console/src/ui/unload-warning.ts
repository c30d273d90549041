import { useEffect } from "react";

/** Has the browser ask before the page is reloaded or closed, while something on it would be lost. */
export const useUnloadWarning = (isAtRisk: boolean): void => {
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isAtRisk]);
};
