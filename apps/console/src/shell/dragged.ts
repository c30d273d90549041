import type { Folder } from "./folders.ts";

/** What is dragged: the folders that take it, and what happens when it is dropped onto one. */
export interface Dragged {
  readonly mayDrop: (folder: Folder) => boolean;
  readonly onDrop: (folder: Folder) => void;
}

let dragged: Dragged | undefined;

/** Notes what is dragged, because a browser tells that only when it is dropped. */
export const beginDrag = (transfer: DataTransfer, what: Dragged): void => {
  transfer.effectAllowed = "move";
  dragged = what;
};

export const endDrag = (): void => {
  dragged = undefined;
};

export const draggedNow = (): Dragged | undefined => dragged;
