import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useLocation } from "wouter";
import { lazyPage } from "../shell/lazy-page.tsx";
import { beginDrag } from "../shell/dragged.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { undoLatest } from "../ui/toast.ts";
import { numberText } from "../texts/formats.ts";
import { NoneSelected } from "./NoneSelected.tsx";
import type { Email, EmailSource } from "./emails/emails.ts";
import { folderName, useFolders } from "../shell/folders.ts";
import { ListHead } from "./list/ListHead.tsx";
import { keyStep } from "./list/key-step.ts";
import { MessageList } from "./list/MessageList.tsx";
import { move, type Target } from "./actions/message-actions.ts";
import { applyPendingChanges } from "./emails/pending-changes.ts";
import { usePrefetch } from "./emails/prefetch.ts";
import { useSeekOpen } from "./list/seek-open.ts";
import { listOldestFirst } from "./emails/reading-settings.ts";
import { selectOnly, extendSelection, NOTHING, toggleRow, without } from "./actions/selection.ts";
import { hrefOf } from "./emails/source-links.ts";
import { useCurrentRow } from "./list/useCurrentRow.ts";
import { useGroupedRows } from "./list/useGroupedRows.ts";
import { useListing } from "./list/useListing.ts";
import { useRowWindow } from "./list/useRowWindow.ts";
import { t } from "../texts/text.ts";
import "./mail.css";

const loadMessageView = () => import("./message/MessageView.tsx");
const MessageView = memo(lazyPage("MessageView", loadMessageView));
const NONE: ReadonlyArray<Email> = [];
const doNothing = (): void => {};

export interface MailViewProps {
  readonly source: EmailSource;
  readonly openId: string | null;
  /** For a search: the source of the messages found so far, and whether the search itself is faulty. */
  readonly results?: { readonly found: EmailSource; readonly isFaulty: boolean };
  readonly head?: ReactNode;
  readonly emptyTitle?: string;
  /** Called by Escape. */
  readonly onLeave?: () => void;
}

/** A list of messages with its selection and keys, and the open message beside it. */
export const MailView = ({ source, openId, results, head, emptyTitle, onLeave = doNothing }: MailViewProps) => {
  const [, navigate] = useLocation();
  const folders = useFolders();
  const folder = "folder" in source ? folders.data?.find(({ id }) => id === source.folder) : undefined;
  const title =
    "text" in source
      ? t("Search results for “{text}”", { text: source.text })
      : folder === undefined
        ? t("Folder")
        : folderName(folder);

  const list = useRef<HTMLDivElement>(null);
  const found = results?.found ?? source;
  const read = useListing(found);
  // The head of the list shows the fault of a search.
  const listing = results?.isFaulty === true ? { ...read, error: null } : read;
  const grouping = useGroupedRows(listing.rows, "folder" in source);
  const { rows, under } = grouping;
  const window = useRowWindow(list, rows.length);
  // The open message may not have its own row.
  const openRow = openId === null ? null : grouping.rowOf(openId);
  const current = useCurrentRow(list, rows, openRow, window);
  const row = rows[current.index];
  const openEmail = listing.rows.find((one) => one?.id === openId);
  const listed = useMemo(
    () => openEmail ?? { id: openId ?? "", ...(folder === undefined ? {} : { folder: folder.path }) },
    [openEmail, openId, folder],
  );
  const atCurrent = useMemo(() => (row === undefined ? NONE : under(row)), [row, under]);
  const [selection, select] = useState(NOTHING);
  useSeekOpen(found, openId, listing, grouping.positions, window);
  usePrefetch(rows, current.index, openId !== null);
  useEffect(() => void loadMessageView().catch(() => {}), []);
  useEffect(() => {
    const unread = folder === undefined || folder.unreadCount === 0 ? "" : ` (${numberText(folder.unreadCount)})`;
    document.title = `${title}${unread} · Postern`;
  }, [title, folder]);

  const open = (index: number): void => {
    const next = rows[index];
    if (openId === null || next === undefined) current.focus(index);
    else navigate(hrefOf(source, next.id));
  };
  const step = (by: number): void => {
    if (rows.length === 0) return;
    // The first key only shows the current row.
    const isInList = openId !== null || list.current?.contains(document.activeElement) === true;
    const isAt = isInList && document.activeElement !== list.current;
    open(Math.max(0, Math.min(rows.length - 1, isAt ? current.index + by : current.index)));
  };
  const extend = (by: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, current.index + by));
    select(extendSelection(selection, rows, current.index, next, under));
    current.focus(next);
  };
  const choose = (index: number, isRange: boolean): void => {
    const target = rows[index];
    if (target === undefined) return;
    select(
      isRange
        ? extendSelection(selection, rows, current.index, index, under)
        : toggleRow(selection, target, under(target)),
    );
  };
  const chooseRead = () => select(selectOnly(listing.rows.filter((one) => one !== undefined)));
  const reverse = (isOldestFirst: boolean): void => {
    // A list at its top does not follow rows that move.
    list.current?.scrollTo({ top: 0 });
    listOldestFirst(isOldestFirst);
  };

  /** Opens the next message, or focuses its row, before messages leave the list. */
  const leave = (gone: ReadonlyArray<Target>): void => {
    const ids = new Set(gone.map(({ id }) => id));
    select(without(selection, ids));
    // The rows of an earlier action may still be listed.
    const isLeft = (row: (typeof rows)[number]) =>
      row !== undefined && !ids.has(row.id) && applyPendingChanges([row]).length > 0;
    const below = rows.findIndex((row, index) => index >= current.index && isLeft(row));
    const next = below === -1 ? rows.findLastIndex((row, index) => index < current.index && isLeft(row)) : below;
    if (openId !== null && ids.has(openId)) {
      navigate(next === -1 ? hrefOf(source) : hrefOf(source, rows[next]!.id), { replace: true });
    } else if (openId === null && next !== -1) current.focus(next);
  };
  const latest = useRef({ leave });
  useEffect(() => {
    latest.current = { leave };
  });
  const onGone = useCallback((gone: ReadonlyArray<Target>) => latest.current.leave(gone), []);

  const drag = (index: number, transfer: DataTransfer): void => {
    const dragged = rows[index];
    if (dragged === undefined) return;
    const targets = selection.chosen.has(dragged.id) ? [...selection.chosen.values()] : under(dragged);
    beginDrag(transfer, {
      mayDrop: (to) => to.selectable && targets.some(({ folder: at }) => at !== to.path),
      onDrop: (to) => {
        leave(targets);
        void move(targets, { id: to.id, name: folderName(to) });
      },
    });
  };

  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    J: () => extend(1),
    K: () => extend(-1),
    x: () => choose(current.index, false),
    u: () => navigate(hrefOf(source)),
    z: undoLatest,
    Escape: onLeave,
  });
  const fold = (id: string, isOpen: boolean): void => {
    const head = grouping.heads.get(id)?.id ?? id;
    grouping.fold(id, isOpen);
    // The rows below the first one leave the list.
    if (!isOpen && head !== row?.id) current.focus(rows.findIndex((one) => one?.id === head));
  };
  const onKey = (event: KeyboardEvent): void => {
    const isFolding = event.key === "ArrowRight" || event.key === "ArrowLeft";
    if (isFolding && row !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      fold(row.id, event.key === "ArrowRight");
      return;
    }
    const next = keyStep(event, current.index, rows.length, window.last - window.first);
    if (next !== null) {
      event.preventDefault();
      if (event.shiftKey) extend(next - current.index);
      else current.focus(next);
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      chooseRead();
    } else if (event.key === "Escape" && selection.chosen.size > 0) {
      event.preventDefault();
      select(NOTHING);
    }
  };

  return (
    <main className={openId === null ? "mail" : "mail reading"}>
      <section className="mail-list" aria-label={title}>
        <ListHead
          source={source}
          listed={found}
          head={head}
          title={title}
          folder={folder}
          rows={listing.rows}
          chosen={selection.chosen}
          current={openId === null ? atCurrent : NONE}
          isCurrentFocused={() => document.activeElement?.closest(".row-item") != null}
          onOldestFirst={reverse}
          onChooseRead={chooseRead}
          onChoose={(targets) => select(selectOnly(targets))}
          onGone={leave}
        />
        <MessageList
          list={list}
          listing={listing}
          grouping={grouping}
          onFold={fold}
          window={window}
          current={current}
          openId={openRow}
          hrefOf={(id) => hrefOf(source, id)}
          chosen={selection.chosen}
          onChoose={choose}
          onDrag={drag}
          onKey={onKey}
          isOurs={folder?.role === "sent" || folder?.role === "drafts"}
          emptyTitle={emptyTitle ?? t(source.filter === "all" ? "No messages here" : "No messages found")}
        />
      </section>
      <section className="mail-read" aria-label={t("Message")} tabIndex={-1}>
        {openId === null ? (
          <NoneSelected />
        ) : (
          <Suspense fallback={null}>
            <MessageView
              id={openId}
              backTo={hrefOf(source)}
              listed={listed}
              hasKeys={selection.chosen.size === 0}
              acted={row?.id === openId && atCurrent.length > 1 ? atCurrent : NONE}
              onGone={onGone}
            />
          </Suspense>
        )}
      </section>
    </main>
  );
};
