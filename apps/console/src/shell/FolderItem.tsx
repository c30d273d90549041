import { type DragEvent, type MouseEvent, useRef, useState } from "react";
import { Link } from "wouter";
import { rich, t } from "../texts/text.ts";
import {
  Archive,
  ChevronDown,
  FileText,
  Folder as FolderIcon,
  Inbox,
  type Icon,
  OctagonAlert,
  Send,
  Trash2,
} from "../ui/icons/icons.tsx";
import { collapseFolder } from "./collapsed-folders.ts";
import { beginDrag, draggedNow, endDrag } from "./dragged.ts";
import { FolderMenu } from "./FolderMenu.tsx";
import { type Folder, type FolderBranch, folderName } from "./folders.ts";
import { moveFolder } from "./managed-folders.ts";

const ICONS: Readonly<Record<string, Icon>> = {
  inbox: Inbox,
  drafts: FileText,
  sent: Send,
  archive: Archive,
  junk: OctagonAlert,
  trash: Trash2,
};

/** Returns whether a folder is inside another one; the mail server chooses the delimiter. */
const isBelow = (folder: Folder, other: Folder): boolean =>
  folder.path.startsWith(other.path) && /^[^\p{L}\p{N}]/u.test(folder.path.slice(other.path.length));

export interface FolderItemProps {
  readonly branch: FolderBranch;
  readonly isHere: boolean;
  /** Whether the subfolders are hidden; undefined without subfolders. */
  readonly isCollapsed: boolean | undefined;
  readonly onChosen?: () => void;
}

/** A folder of the rail. Messages and other folders can be dropped onto it. */
export const FolderItem = ({ branch: { folder, depth }, isHere, isCollapsed, onChosen }: FolderItemProps) => {
  const item = useRef<HTMLLIElement>(null);
  const [isOver, setOver] = useState(false);
  const [isMenuOpen, openMenu] = useState(false);
  const isOwn = folder.role === null && folder.selectable;
  const Icon = ICONS[folder.role ?? ""] ?? FolderIcon;
  const over = (event: DragEvent): void => {
    if (draggedNow()?.mayDrop(folder) !== true) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    draggedNow()?.onDrop(folder);
    endDrag();
  };
  const drag = ({ dataTransfer }: DragEvent): void =>
    beginDrag(dataTransfer, {
      mayDrop: (to) => isOwn && to.id !== folder.id && to.id !== folder.parentId && !isBelow(to, folder),
      onDrop: (to) => void moveFolder(folder, to),
    });
  const menu = (event: MouseEvent): void => {
    if (!isOwn) return;
    event.preventDefault();
    openMenu(true);
  };
  const inner = (
    <>
      <Icon size={17} aria-hidden />
      <span className="rail-name" dir="auto">
        {folderName(folder)}
      </span>
    </>
  );
  return (
    // The link and the menu of the folder do the same for the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      ref={item}
      className={isOver ? "rail-branch over" : "rail-branch"}
      data-depth={Math.min(depth, 4)}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onDragEnd={endDrag}
    >
      {isCollapsed !== undefined && (
        <button
          type="button"
          className="rail-knob"
          aria-expanded={!isCollapsed}
          aria-label={t("Folders in {folder}", { folder: folderName(folder) })}
          onClick={() => collapseFolder(folder.id, !isCollapsed)}
        >
          <ChevronDown size={15} className={isCollapsed ? "closed" : ""} aria-hidden />
        </button>
      )}
      {folder.selectable ? (
        <Link
          href={`/mail/${folder.id}`}
          className={isHere ? "rail-item here" : "rail-item"}
          aria-current={isHere ? "page" : undefined}
          title={t("{folder}: {total} messages, {unread} unread", {
            folder: folder.path,
            total: folder.totalCount,
            unread: folder.unreadCount,
          })}
          draggable={isOwn}
          onDragStart={drag}
          onContextMenu={menu}
          {...(onChosen === undefined ? {} : { onClick: onChosen })}
        >
          {inner}
          {folder.unreadCount > 0 && (
            <span className="rail-count numbers">
              {rich("{count}<unseen> unread</unseen>", {
                count: folder.unreadCount,
                unseen: (chunks) => <span className="unseen">{chunks}</span>,
              })}
            </span>
          )}
        </Link>
      ) : (
        <span className="rail-item">{inner}</span>
      )}
      {isOwn && <FolderMenu folder={folder} at={item} isOpen={isMenuOpen} onOpenChange={openMenu} />}
    </li>
  );
};
