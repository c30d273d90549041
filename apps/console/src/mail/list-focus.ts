import { type RefObject, useEffect, useRef } from "react";
import type { Email } from "./emails.ts";

interface Place {
  readonly id: string;
  readonly index: number;
  readonly wasOpen: boolean;
}

const rowOf = (list: HTMLElement | null, id: string | undefined): HTMLElement | null =>
  id === undefined ? null : (list?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`) ?? null);

/** Focuses the row of a message and scrolls it into view. */
export const focusRow = (list: HTMLElement | null, id: string): void => {
  const row = rowOf(list, id);
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
};

/** Whether the focused element was removed from the page. */
const isFocusLost = (): boolean => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.id === "content";
};

/**
 * Restores the focus after the open message is closed or a focused row removed: to the message's row, to the next row if
 * the message left the list, or to the list if it is empty.
 */
export const useListFocus = (
  list: RefObject<HTMLElement | null>,
  all: ReadonlyArray<Pick<Email, "id">>,
  openId: string | null,
): void => {
  const place = useRef<Place | null>(null);
  useEffect(() => {
    const id = openId ?? document.activeElement?.getAttribute("data-message");
    const index = all.findIndex((email) => email.id === id);
    if (id != null && index !== -1) {
      place.current = { id, index, wasOpen: openId !== null };
      return;
    }
    const was = place.current;
    if (openId !== null || was === null || !isFocusLost()) return;
    const isListed = all.some((email) => email.id === was.id);
    if (isListed && !was.wasOpen) {
      place.current = null;
      return;
    }
    const next = isListed ? was.id : all[Math.min(was.index, all.length - 1)]?.id;
    if (next === undefined) {
      list.current?.focus();
      place.current = null;
    } else {
      focusRow(list.current, next);
      place.current = { id: next, index: was.index, wasOpen: false };
    }
  });
};
