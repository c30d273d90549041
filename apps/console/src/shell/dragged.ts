import type { Folder } from "./folders.ts";

/** The dragged item: the folders that accept it, and the action when it is dropped onto one of them. */
export interface Dragged {
  readonly mayDrop: (folder: Folder) => boolean;
  readonly onDrop: (folder: Folder) => void;
}

let dragged: Dragged | undefined;

/** Records the dragged item, because browsers reveal it only when it is dropped. */
export const beginDrag = (transfer: DataTransfer, what: Dragged): void => {
  transfer.effectAllowed = "move";
  dragged = what;
};

export const endDrag = (): void => {
  dragged = undefined;
};

export const draggedNow = (): Dragged | undefined => dragged;
