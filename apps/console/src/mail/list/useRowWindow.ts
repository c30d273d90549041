import { type RefObject, useCallback, useLayoutEffect, useState } from "react";
import { useIsCompact } from "../../ui/density.ts";

/** The rows in view, and the height of a row. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  readonly rowHeight: number;
  /** Scrolls a row into view, with as little movement as possible or to the middle. */
  readonly scrollTo: (row: number, where?: "nearest" | "middle") => void;
}

/** The heights of a row in `mail.css`, in rem. */
const ROW_REM = 4.125;
const COMPACT_ROW_REM = 3;

/** The number of rows that are rendered above and below the view, so that scrolling shows no empty space. */
const ROWS_BEYOND_VIEW = 8;

const remNow = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Determines the rows of a scrolling list that are in view. All rows have the same height. */
export const useRowWindow = (list: RefObject<HTMLElement | null>, count: number): RowWindow => {
  const [rem, setRem] = useState(remNow);
  const rowHeight = rem * (useIsCompact() ? COMPACT_ROW_REM : ROW_REM);
  const [[first, last], setRows] = useState<readonly [number, number]>([0, 15]);

  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    // A list that is not displayed keeps its rows.
    if (clientHeight === 0) return;
    const top = Math.floor(scrollTop / rowHeight) - ROWS_BEYOND_VIEW;
    const bottom = Math.ceil((scrollTop + clientHeight) / rowHeight) + ROWS_BEYOND_VIEW;
    setRows((now) => (now[0] === top && now[1] === bottom ? now : [top, bottom]));
  }, [list, rowHeight]);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    look();
    const sized = new ResizeObserver(() => {
      setRem(remNow());
      look();
    });
    sized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      sized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [list, look]);

  const scrollTo = useCallback(
    (row: number, where: "nearest" | "middle" = "nearest") => {
      const element = list.current;
      if (element === null || element.clientHeight === 0) return;
      const [above, below] = [row * rowHeight, (row + 1) * rowHeight - element.clientHeight];
      if (where === "middle") element.scrollTop = (above + below) / 2;
      else element.scrollTop = Math.max(below, Math.min(above, element.scrollTop));
      look();
    },
    [list, rowHeight, look],
  );

  return { first: Math.max(0, first), last: Math.min(count - 1, last), rowHeight, scrollTo };
};
