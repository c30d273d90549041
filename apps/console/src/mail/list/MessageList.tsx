import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef } from "react";
import { Link } from "wouter";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { useIsCompact } from "../../ui/density.ts";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { MessageRow } from "./MessageRow.tsx";
import { useRowFaults } from "../actions/row-faults.ts";
import type { CurrentRow } from "./useCurrentRow.ts";
import type { Grouping } from "./useGroupedRows.ts";
import type { Listing } from "./useListing.ts";
import { useRowAnchor } from "./useRowAnchor.ts";
import type { RowWindow } from "./useRowWindow.ts";
import { t } from "../../texts/text.ts";

export interface MessageListProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly listing: Listing;
  readonly grouping: Grouping;
  readonly onFold: (id: string, isOpen: boolean) => void;
  readonly window: RowWindow;
  readonly current: CurrentRow;
  readonly openId: string | null;
  readonly hrefOf: (id: string) => string;
  readonly chosen: ReadonlyMap<string, unknown>;
  readonly onChoose: (index: number, isRange: boolean) => void;
  /** Called when a row is dragged. */
  readonly onDrag: (index: number, transfer: DataTransfer) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly isOurs: boolean;
  readonly emptyTitle: string;
}

/** The rows of a list that are in view, and the current row. */
export const MessageList = (props: MessageListProps) => {
  const { list, listing, grouping, window, current, openId, hrefOf, chosen, isOurs, emptyTitle } = props;
  const { isPending, error, retry, show } = listing;
  const { rows, positions, conversations, heads } = grouping;
  const { first, last, rowHeight } = window;
  const faults = useRowFaults();
  const isCompact = useIsCompact();
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
    show(positions[first] ?? first, positions[last] ?? last);
  });
  useRowAnchor(list, rows, rowHeight);
  const choose = useCallback((index: number, isRange: boolean) => latest.current.onChoose(index, isRange), []);
  const fold = useCallback((id: string, isOpen: boolean) => latest.current.onFold(id, isOpen), []);
  const note = useCallback((index: number) => latest.current.current.note(index), []);
  const drag = useCallback((index: number, to: DataTransfer) => latest.current.onDrag(index, to), []);

  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
  if (current.index >= 0 && current.index < first) shown.unshift(current.index);
  if (current.index > last && current.index < rows.length) shown.push(current.index);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-static-element-interactions
    <div ref={list} className={isCompact ? "mail-rows compact" : "mail-rows"} tabIndex={-1} onKeyDown={props.onKey}>
      {isPending ? (
        <Bones rows={9} label={t("Loading messages")} />
      ) : error !== null && rows.length === 0 ? (
        <Failed error={error} onRetry={retry}>
          <Link href="/mail/inbox" className="button">
            {t("Go to the inbox")}
          </Link>
        </Failed>
      ) : rows.length === 0 ? (
        <Empty title={emptyTitle} />
      ) : (
        <>
          <ul className="rows" style={{ height: rows.length * rowHeight }}>
            {shown.map((index) => {
              const email = rows[index];
              return email === undefined ? (
                <li
                  key={`row ${index}`}
                  className="row-item bone-row"
                  style={{ top: index * rowHeight }}
                  aria-setsize={rows.length}
                  aria-posinset={index + 1}
                  data-row={index}
                  tabIndex={-1}
                >
                  <span className="unseen">{t("Loading")}</span>
                  <span className="bone bone-short" aria-hidden>
                    —
                  </span>
                  <span className="bone" aria-hidden>
                    —
                  </span>
                </li>
              ) : (
                <MessageRow
                  key={email.id}
                  email={email}
                  index={index}
                  count={rows.length}
                  top={index * rowHeight}
                  href={hrefOf(email.id)}
                  isOpen={email.id === openId}
                  isCurrent={index === current.index}
                  isChosen={grouping.under(email).every(({ id }) => chosen.has(id))}
                  conversation={conversations.get(email.id)}
                  isBelow={heads.has(email.id)}
                  onFold={fold}
                  isOurs={isOurs}
                  fault={faults.get(email.id)}
                  onChoose={choose}
                  onFocus={note}
                  onDrag={drag}
                />
              );
            })}
          </ul>
          {error === null && <p className="rows-end soft small">{t("No more messages")}</p>}
          {error !== null && (
            <div className="rows-fault" role="alert">
              <span className="small">{t("Messages could not be loaded.")}</span>
              <Button onPress={retry}>{t("Try again")}</Button>
            </div>
          )}
        </>
      )}
    </div>
  );
};
