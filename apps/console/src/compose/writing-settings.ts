const UNDO = "postern-undo-seconds";

/** How long a message can be held back after Send, in seconds; 0 sends it at once. */
export const UNDO_CHOICES = [0, 5, 10, 20, 30] as const;
const USUAL_UNDO = 10;

export const undoSeconds = (): number => {
  const chosen = Number(localStorage.getItem(UNDO) ?? USUAL_UNDO);
  return UNDO_CHOICES.find((seconds) => seconds === chosen) ?? USUAL_UNDO;
};

export const setUndoSeconds = (seconds: number): void => localStorage.setItem(UNDO, String(seconds));
