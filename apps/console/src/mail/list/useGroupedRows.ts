import { useMemo, useState } from "react";
import type { Email } from "../emails/email.ts";
import { type GroupedRows, groupedRows, reverseRows, rowsWithoutGroups } from "./grouped-rows.ts";
import { useListsAreGrouped, useListsAreOldestFirst } from "../emails/reading-settings.ts";

/** The rows of a list, grouped by conversation if the reader has chosen that setting. */
export interface Grouping extends GroupedRows {
  /** Opens or closes the conversation of a row. */
  readonly fold: (id: string, isOpen: boolean) => void;
  /** Returns the messages to which an action on a row applies: for a closed conversation, all its messages. */
  readonly under: (email: Email) => ReadonlyArray<Email>;
  /** Returns the id of the row that contains a message. */
  readonly rowOf: (id: string) => string;
}

/** Orders and groups the rows of a list, latest first, and remembers which conversations are open. */
export const useGroupedRows = (all: ReadonlyArray<Email | undefined>, isOrdered: boolean): Grouping => {
  const isGrouped = useListsAreGrouped();
  const isReversed = useListsAreOldestFirst() && isOrdered;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const grouped = useMemo(() => {
    const latestFirst = isGrouped ? groupedRows(all, open) : rowsWithoutGroups(all);
    return isReversed ? reverseRows(latestFirst) : latestFirst;
  }, [all, open, isGrouped, isReversed]);
  return useMemo(() => {
    const { conversations, heads } = grouped;
    const isFolded = (id: string) => conversations.get(id)?.isOpen === false;
    return {
      ...grouped,
      fold: (id, isOpen) => {
        const threadId = (conversations.get(id)?.emails[0] ?? heads.get(id))?.threadId;
        if (threadId == null) return;
        setOpen((now) => (isOpen ? new Set([...now, threadId]) : new Set([...now].filter((one) => one !== threadId))));
      },
      under: (email) => (isFolded(email.id) ? conversations.get(email.id)!.emails : [email]),
      rowOf: (id) => {
        const head = heads.get(id);
        return head !== undefined && isFolded(head.id) ? head.id : id;
      },
    };
  }, [grouped]);
};
