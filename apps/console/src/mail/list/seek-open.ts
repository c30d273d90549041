import { useEffect, useRef } from "react";
import { queries } from "../../api/client.ts";
import { type EmailPage, type EmailSource, PAGE_SIZE, pageQuery } from "../emails/emails.ts";
import { type Message, messageQuery } from "../emails/message.ts";
import type { Listing } from "./useListing.ts";
import type { RowWindow } from "./useRowWindow.ts";

/**
 * Returns the position of a message in a list, or null if it is not found. A list is ordered by arrival, so the number of
 * requests grows with the logarithm of its size.
 */
const positionOf = async (source: EmailSource, { id, date }: Message): Promise<number | null> => {
  const read = (page: number): Promise<EmailPage> => queries.fetchQuery(pageQuery(source, page));
  let [low, high] = [1, Math.ceil((await read(1)).total / PAGE_SIZE)];
  for (let page = 1; low <= high; page = Math.floor((low + high) / 2)) {
    const { emails } = await read(page);
    const found = emails.findIndex((email) => email.id === id);
    if (found !== -1) return (page - 1) * PAGE_SIZE + found;
    const [newest, oldest] = [emails[0]?.date ?? "", emails.at(-1)?.date ?? ""];
    if (emails.length > 0 && date <= oldest) low = page + 1;
    else if (emails.length === 0 || date >= newest) high = page - 1;
    else return null;
  }
  return null;
};

/** Scrolls to the row of the message with which the page was opened. */
export const useSeekOpen = (
  source: EmailSource,
  openId: string | null,
  { show }: Listing,
  positions: ReadonlyArray<number>,
  { scrollTo }: RowWindow,
): void => {
  const now = useRef({ show, positions, scrollTo, openId });
  useEffect(() => {
    now.current = { show, positions, scrollTo, openId };
  });
  const sought = useRef(openId);
  useEffect(() => {
    const id = sought.current;
    sought.current = null;
    if (id === null) return;
    void queries
      .fetchQuery(messageQuery(id))
      .then((message) => positionOf(source, message))
      .then(
        (position) => {
          if (position === null || now.current.openId !== id) return;
          now.current.show(position, position);
          requestAnimationFrame(() => {
            // A message that is folded into another row does not have its own row.
            const far = now.current.positions.map((one) => Math.abs(one - position));
            const row = far.indexOf(far.reduce((one, other) => Math.min(one, other), Infinity));
            if (row !== -1) now.current.scrollTo(row, "middle");
          });
        },
        // The message and the list themselves show their errors.
        () => {},
      );
  }, [source]);
};
