import { storedSwitch } from "./stored-switch.ts";

const compact = storedSwitch("postern-compact", false);

/** Chooses whether the rows of lists are compact or comfortable, as this browser remembers it. */
export const chooseCompact = compact.turn;

export const useIsCompact = compact.useIsOn;
