const UNDO = "postern-undo-seconds";

/** The choices for the time in which a sent message can be cancelled, in seconds; 0 sends it at once. */
export const UNDO_CHOICES = [0, 5, 10, 20, 30] as const;
const USUAL_UNDO = 10;
const FORMAT = "postern-writes";

export const undoSeconds = (): number => {
  const chosen = Number(localStorage.getItem(UNDO) ?? USUAL_UNDO);
  return UNDO_CHOICES.find((seconds) => seconds === chosen) ?? USUAL_UNDO;
};

export const setUndoSeconds = (seconds: number): void => localStorage.setItem(UNDO, String(seconds));

/** Returns whether new messages have formatting, according to the last choice in this browser. */
export const writesRich = (): boolean => localStorage.getItem(FORMAT) !== "plain";

export const setWritesRich = (isRich: boolean): void => localStorage.setItem(FORMAT, isRich ? "rich" : "plain");
