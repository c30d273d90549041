import { type RefObject, useEffect, useRef } from "react";
import type { Email } from "./emails.ts";
import type { Message } from "./message.ts";

/** How many messages are listed to find the open one: every page is a request. */
const MOST_LISTED = 2_000;

export interface Paging {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly fetchNextPage: () => unknown;
}

/**
 * Scrolls to the row of the message that the page was opened with: fetches pages until it is listed, or until the last
 * listed message arrived before it.
 */
export const useSeekOpen = (
  list: RefObject<HTMLElement | null>,
  all: ReadonlyArray<Email>,
  open: { readonly id: string | null; readonly message: Message | undefined },
  { hasNextPage, isFetching, isError, fetchNextPage }: Paging,
): void => {
  const sought = useRef(open.id);
  useEffect(() => {
    const id = sought.current;
    if (id === null || all.length === 0) return;
    if (open.id !== id) {
      sought.current = null;
      return;
    }
    const row = list.current?.querySelector(`[data-message="${CSS.escape(id)}"]`);
    if (row != null) {
      sought.current = null;
      row.scrollIntoView({ block: "center" });
      return;
    }
    if (open.message === undefined || isFetching || isError) return;
    const last = all.at(-1)!;
    const isPassed = last.folder === open.message.folder && last.date < open.message.date;
    if (!hasNextPage || isPassed || all.length >= MOST_LISTED) sought.current = null;
    else fetchNextPage();
  });
};
