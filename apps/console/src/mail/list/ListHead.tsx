import type { ReactNode } from "react";
import { Link } from "wouter";
import { ArrowUpDown, CheckCheck, MessagesSquare, X } from "../../ui/icons/icons.tsx";
import { Button } from "../../ui/Button.tsx";
import { Actions, type ActionTarget } from "../actions/Actions.tsx";
import { EmptyFolderButton } from "../actions/EmptyFolderButton.tsx";
import { type Email, type EmailSource, FILTERS } from "../emails/emails.ts";
import type { Folder } from "../../shell/folders.ts";
import { markAllRead, useReadAll } from "../actions/whole-lists.ts";
import type { Target } from "../actions/message-actions.ts";
import { groupLists, useListsAreGrouped, useListsAreOldestFirst } from "../emails/reading-settings.ts";
import { SearchBox } from "./SearchBox.tsx";
import { hrefOf } from "../emails/source-links.ts";
import { markText, t } from "../../texts/text.ts";

const FILTER_NAMES = {
  all: markText("All [messages]"),
  unread: markText("Unread [messages]"),
  flagged: markText("Flagged [messages]"),
  attachments: markText("With files"),
} as const;

export interface ListHeadProps {
  readonly source: EmailSource;
  /** The source of the rows. */
  readonly listed: EmailSource;
  /** The content that a search shows below its field. */
  readonly head: ReactNode;
  readonly title: string;
  readonly folder: Folder | undefined;
  readonly rows: ReadonlyArray<Email | undefined>;
  readonly chosen: ReadonlyMap<string, Target>;
  /** The messages on which keys act while no message is selected or open. */
  readonly current: ReadonlyArray<Email>;
  /** Returns whether the keyboard focus is on a message of the list. */
  readonly isCurrentFocused: () => boolean;
  readonly onOldestFirst: (isOldestFirst: boolean) => void;
  readonly onChooseRead: () => void;
  readonly onChoose: (targets: ReadonlyArray<Target>) => void;
  readonly onGone: (targets: ReadonlyArray<Target>) => void;
}

/** The head of a list: its title, search and filters and, while messages are selected, the actions on them. */
export const ListHead = (props: ListHeadProps) => {
  const { source, listed: rowSource, head, title, folder, rows, chosen, current, isCurrentFocused } = props;
  const { onOldestFirst, onChooseRead, onChoose, onGone } = props;
  const isGrouped = useListsAreGrouped();
  const isOldestFirst = useListsAreOldestFirst();
  const whole = useReadAll(rowSource);
  const read = rows.filter((row) => row !== undefined);
  const isAllRead = chosen.size > 0 && read.every(({ id }) => chosen.has(id));
  // Flags are known only for selected messages that are listed.
  const listed = new Map(read.map((email) => [email.id, email]));
  const targets: ReadonlyArray<ActionTarget> =
    chosen.size > 0 ? [...chosen.values()].map((one) => listed.get(one.id) ?? one) : current;
  return (
    <header className="mail-head">
      <div className="mail-title">
        <h1 dir="auto">{title}</h1>
        {"folder" in source && <p className="soft small">{counts(folder)}</p>}
      </div>
      <SearchBox source={source} />
      {head}
      <div className="mail-tools">
        <label className="row-pick">
          <input
            type="checkbox"
            aria-label={t("Select all")}
            disabled={read.length === 0}
            checked={isAllRead}
            ref={(box) => {
              if (box !== null) box.indeterminate = chosen.size > 0 && !isAllRead;
            }}
            onChange={() => (chosen.size > 0 ? onChoose([]) : onChooseRead())}
          />
        </label>
        <p className={chosen.size === 0 ? "unseen" : "chosen-count small numbers"} role="status">
          {chosen.size > 0 && t("{count, plural, other {# selected}}", { count: chosen.size })}
        </p>
        {chosen.size === 0 && (
          <>
            <nav className="filters" aria-label={t("Filters")}>
              {FILTERS.map((filter) => (
                <Link
                  key={filter}
                  href={hrefOf({ ...source, filter })}
                  className={filter === source.filter ? "filter here" : "filter"}
                  aria-current={filter === source.filter ? "page" : undefined}
                >
                  {t(FILTER_NAMES[filter])}
                </Link>
              ))}
            </nav>
            <Button
              look="quiet"
              className={isGrouped ? "pressed" : ""}
              label={t("Group by conversation")}
              aria-pressed={isGrouped}
              icon={<MessagesSquare size={18} aria-hidden />}
              onPress={() => groupLists(!isGrouped)}
            />
            {"folder" in source && (
              <Button
                look="quiet"
                className={isOldestFirst ? "pressed" : ""}
                label={t("Oldest first")}
                aria-pressed={isOldestFirst}
                icon={<ArrowUpDown size={18} aria-hidden />}
                onPress={() => onOldestFirst(!isOldestFirst)}
              />
            )}
            {folder !== undefined && folder.unreadCount > 0 && (
              <Button
                look="quiet"
                label={t("Mark all as read")}
                icon={<CheckCheck size={18} aria-hidden />}
                onPress={() => void markAllRead(folder)}
              />
            )}
            {(folder?.role === "trash" || folder?.role === "junk") && folder.totalCount > 0 && (
              <EmptyFolderButton folder={folder} onGone={onGone} />
            )}
          </>
        )}
        <div
          className={chosen.size === 0 ? "chosen-tools none" : "chosen-tools"}
          role="toolbar"
          aria-label={t("Selected")}
        >
          <Actions
            targets={targets}
            hasKeys={chosen.size > 0 || current.length > 0}
            mayAct={() => chosen.size > 0 || isCurrentFocused()}
            onGone={onGone}
            onMenu={() => chosen.size === 0 && onChoose(targets)}
          />
          <Button
            look="quiet"
            label={t("Clear selection")}
            icon={<X size={18} aria-hidden />}
            onPress={() => onChoose([])}
          />
        </div>
      </div>
      {isAllRead && chosen.size < rows.length && (
        <Button isPending={whole.read !== null} onPress={() => void whole.start().then(onChoose)}>
          {whole.read === null
            ? t("Select all {count, number}", { count: rows.length })
            : t("Reading {read, number} of {total, number}", { read: whole.read, total: rows.length })}
        </Button>
      )}
    </header>
  );
};

const counts = (folder: Folder | undefined): string => {
  if (folder === undefined) return "\u00a0";
  const { totalCount: count, unreadCount: unread } = folder;
  return unread === 0
    ? t("{count, plural, one {# message} other {# messages}}", { count })
    : t("{count, plural, one {# message} other {# messages}}, {unread, plural, other {# unread}}", { count, unread });
};
