import { useEffect, useState } from "react";

/** Returns whether an action has been pending for longer than this time. */
export const useSlow = (isPending: boolean, millis: number): boolean => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setSlow(true), millis);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isPending, millis]);
  return isSlow;
};
