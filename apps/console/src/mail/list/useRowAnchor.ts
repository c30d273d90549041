import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Email } from "../emails/emails.ts";

/** Keeps the rows in view at their position on the screen when rows above them are added or removed, unless the list is scrolled to its top. */
export const useRowAnchor = (
  list: RefObject<HTMLElement | null>,
  rows: ReadonlyArray<Email | undefined>,
  rowHeight: number,
): void => {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const element = list.current;
    const was = before.current;
    before.current = rows;
    if (element === null || was === rows || element.scrollTop === 0) return;
    const top = Math.ceil(element.scrollTop / rowHeight);
    const places = new Map(rows.map((row, index) => [row?.id, index]));
    const anchor = was.findIndex((row, index) => index >= top && row !== undefined && places.has(row.id));
    if (anchor === -1) return;
    const moved = places.get(was[anchor]!.id)! - anchor;
    if (moved !== 0) element.scrollTop += moved * rowHeight;
  }, [list, rows, rowHeight]);
};
