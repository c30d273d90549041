import { useEffect, useState } from "react";

/** The time for which a message must be shown before work starts that would be wasted if the reader moved on. */
const RESTING_MILLIS = 700;

/** Returns whether the item with this key has been shown for `RESTING_MILLIS`. */
export const useHasRested = (shown: string): boolean => {
  const [rested, setRested] = useState<string | null>(null);
  useEffect(() => {
    const resting = setTimeout(() => setRested(shown), RESTING_MILLIS);
    return () => clearTimeout(resting);
  }, [shown]);
  return rested === shown;
};
