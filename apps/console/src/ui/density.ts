import { storedSwitch } from "./stored-switch.ts";

const compact = storedSwitch("postern-compact", false);

/** Chooses between compact and comfortable rows of lists; this browser remembers the choice. */
export const chooseCompact = compact.turn;

export const useIsCompact = compact.useIsOn;
