import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Email } from "../emails/emails.ts";
import type { RowWindow } from "./useRowWindow.ts";

/** The row on which keys act: the row of the open message, or the row that was focused last. */
export interface CurrentRow {
  /**
   * The position of the row, -1 in an empty list. If the row's message leaves the list, the next message takes the
   * position.
   */
  readonly index: number;
  readonly focus: (index: number) => void;
  /** Makes the row that already has the focus the current one. */
  readonly note: (index: number) => void;
}

interface Place {
  readonly index: number;
  readonly id: string | null;
}

const positionOf = (rows: ReadonlyArray<Email | undefined>, id: string | null): number =>
  id === null ? -1 : rows.findIndex((row) => row?.id === id);

/**
 * Follows the current row, and keeps the focus in the list. The focus moves to the row of a closed message, to the next
 * row after the focused row was removed, and to the list if the list is empty.
 */
export const useCurrentRow = (
  list: RefObject<HTMLElement | null>,
  rows: ReadonlyArray<Email | undefined>,
  openId: string | null,
  { scrollTo }: RowWindow,
): CurrentRow => {
  const [place, setPlace] = useState<Place>({ index: 0, id: null });
  const wanted = useRef(false);
  const wasOpen = useRef<string | null>(null);
  const held = useRef<Element | null>(null);

  const known = positionOf(rows, openId ?? place.id);
  const index = Math.min(known === -1 ? place.index : known, rows.length - 1);
  const id = rows[index]?.id ?? null;
  // Until the reader reaches a row, the first row is current, even after new rows arrive above it.
  const isChosen = place.id !== null || openId !== null;
  if (isChosen && id !== null && (index !== place.index || id !== place.id)) setPlace({ index, id });
  const isOpenListed = openId !== null && id === openId;

  useLayoutEffect(() => {
    if (isOpenListed) scrollTo(index);
    // Only another message scrolls the list, because the reader may have scrolled in the meantime.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [openId, isOpenListed]);

  useLayoutEffect(() => {
    if (wasOpen.current !== null && openId === null) {
      wanted.current = true;
      scrollTo(index);
    }
    wasOpen.current = openId;
    const isLost = held.current?.isConnected === false && document.activeElement === document.body;
    if (!wanted.current && !isLost) return;
    wanted.current = false;
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
    (row ?? list.current)?.focus({ preventScroll: true });
  });

  useEffect(() => {
    const hold = ({ target }: FocusEvent): void => {
      held.current = target instanceof Element && list.current?.contains(target) === true ? target : null;
    };
    document.addEventListener("focusin", hold);
    return () => document.removeEventListener("focusin", hold);
  }, [list]);

  return {
    index,
    focus: (next) => {
      wanted.current = true;
      scrollTo(next);
      setPlace({ index: next, id: rows[next]?.id ?? null });
    },
    note: (next) => setPlace({ index: next, id: rows[next]?.id ?? null }),
  };
};
