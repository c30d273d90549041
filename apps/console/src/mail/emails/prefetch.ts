import { useEffect } from "react";
import { queries } from "../../api/client.ts";
import type { Email } from "./emails.ts";
import { messageQuery } from "./message.ts";

/**
 * The time for which a row must stay current before its message is read, so that messages of rows that the user only
 * passes are not read.
 */
const RESTING_MILLIS = 60;

/**
 * Reads the messages next to the open one, or those of the current and the next row, so that they open at once. Two
 * messages are read ahead, because most users go down the list faster than a busy mail server answers.
 */
export const usePrefetch = (rows: ReadonlyArray<Email | undefined>, index: number, isOpen: boolean): void => {
  const ids = [isOpen ? rows[index - 1] : rows[index], rows[index + 1], isOpen ? rows[index + 2] : undefined]
    .flatMap((row) => row?.id ?? [])
    .join();
  useEffect(() => {
    if (ids === "") return;
    const reading = setTimeout(() => {
      for (const id of ids.split(",")) void queries.prefetchQuery(messageQuery(id));
    }, RESTING_MILLIS);
    return () => clearTimeout(reading);
  }, [ids]);
};
