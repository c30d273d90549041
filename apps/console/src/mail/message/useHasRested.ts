import { useEffect, useState } from "react";

/** How long something is shown before work is done that only a reader who stays with it needs. */
const RESTING_MILLIS = 700;

/** Whether this has been shown for a while. */
export const useHasRested = (shown: string): boolean => {
  const [rested, setRested] = useState<string | null>(null);
  useEffect(() => {
    const resting = setTimeout(() => setRested(shown), RESTING_MILLIS);
    return () => clearTimeout(resting);
  }, [shown]);
  return rested === shown;
};
