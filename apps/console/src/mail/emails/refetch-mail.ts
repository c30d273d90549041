import { queries } from "../../api/client.ts";

/**
 * The time after the last action at which the lists are read again: longer than the pause between two keys of a busy
 * user.
 */
const QUIET_MILLIS = 400;

let running = 0;
let isUrgent = false;
let waiting: ReturnType<typeof setTimeout> | undefined;
let settling: Array<() => void> = [];

/** Runs an action, during which the lists are not read again. Callers call one of the functions below afterwards. */
export const runAction = async <A>(act: () => Promise<A>): Promise<A> => {
  running++;
  clearTimeout(waiting);
  try {
    return await act();
  } finally {
    running--;
  }
};

/**
 * Reads the lists again. While an action is in progress, reads only the counts of folders, and reads the lists after
 * the action.
 */
export const refetchMail = async (): Promise<void> => {
  clearTimeout(waiting);
  isUrgent = running > 0;
  if (isUrgent) return queries.invalidateQueries({ queryKey: ["folders"] });
  for (const settle of settling) settle();
  settling = [];
  await Promise.all(["folders", "emails", "conversation"].map((key) => queries.invalidateQueries({ queryKey: [key] })));
};

/** Reads the lists again when no action has followed for a while; calls `settle` before. */
export const refetchMailWhenQuiet = (settle: () => void = () => {}): void => {
  settling.push(settle);
  clearTimeout(waiting);
  if (running === 0) waiting = setTimeout(() => void refetchMail(), isUrgent ? 0 : QUIET_MILLIS);
};
