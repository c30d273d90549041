import {
  Archive,
  FileText,
  Folder as FolderIcon,
  Inbox,
  type Icon,
  OctagonAlert,
  Send,
  Trash2,
} from "../ui/icons/icons.tsx";
import { Link, useRoute } from "wouter";
import { Button } from "../ui/Button.tsx";
import { folderName, folderTree, useFolders } from "./folders.ts";

const ICONS: Readonly<Record<string, Icon>> = {
  inbox: Inbox,
  drafts: FileText,
  sent: Send,
  archive: Archive,
  junk: OctagonAlert,
  trash: Trash2,
};

/** The folders with their unread counts. */
export const FolderNav = ({ onChosen }: { readonly onChosen?: () => void }) => {
  const folders = useFolders();
  const [, params] = useRoute("/mail/:folder/*?");
  const here = params?.folder;
  if (folders.isPending) {
    return (
      <ul className="rail-list" aria-hidden>
        {Array.from({ length: 7 }, (_, row) => (
          <li key={row} className="rail-item">
            <span className="bone">folder name</span>
          </li>
        ))}
      </ul>
    );
  }
  if (folders.isError) {
    return (
      <div className="rail-fault">
        <p>The folders could not be loaded.</p>
        <Button onPress={() => void folders.refetch()}>Try again</Button>
      </div>
    );
  }
  return (
    <ul className="rail-list">
      {folderTree(folders.data).map(({ folder, depth }) => {
        const Icon = ICONS[folder.role ?? ""] ?? FolderIcon;
        const inner = (
          <>
            <Icon size={17} aria-hidden />
            <span className="rail-name" dir="auto">
              {folderName(folder)}
            </span>
          </>
        );
        return (
          <li key={folder.id} data-depth={Math.min(depth, 4)}>
            {folder.selectable ? (
              <Link
                href={`/mail/${folder.id}`}
                className={folder.id === here ? "rail-item here" : "rail-item"}
                aria-current={folder.id === here ? "page" : undefined}
                title={`${folder.path}: ${folder.totalCount} messages, ${folder.unreadCount} unread`}
                {...(onChosen === undefined ? {} : { onClick: onChosen })}
              >
                {inner}
                {folder.unreadCount > 0 && (
                  <span className="rail-count numbers">
                    {folder.unreadCount}
                    <span className="unseen"> unread</span>
                  </span>
                )}
              </Link>
            ) : (
              <span className="rail-item">{inner}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
};
