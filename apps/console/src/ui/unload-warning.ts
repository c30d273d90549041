import { useEffect } from "react";

/** Makes the browser ask before the page is reloaded or closed, if unsaved input would be lost. */
export const useUnloadWarning = (isAtRisk: boolean): void => {
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isAtRisk]);
};
