import { type RefObject, Suspense, useState } from "react";
import { Menu, MenuItem, Popover } from "react-aria-components";
import { t } from "../texts/text.ts";
import type { FolderDialogProps } from "./FolderDialog.tsx";
import type { Folder } from "./folders.ts";
import { lazyPage } from "./lazy-page.tsx";

const FolderDialog = lazyPage("FolderDialog", () => import("./FolderDialog.tsx"));

export interface FolderMenuProps {
  readonly folder: Folder;
  /** The link of the folder, at which the menu opens. */
  readonly at: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The actions on a folder of the account, as a menu that the right button of the mouse or the menu key opens. */
export const FolderMenu = ({ folder, at, isOpen, onOpenChange }: FolderMenuProps) => {
  const [asked, ask] = useState<FolderDialogProps["what"] | null>(null);
  return (
    <>
      <Popover className="popover" triggerRef={at} isOpen={isOpen} onOpenChange={onOpenChange} placement="bottom start">
        <Menu
          autoFocus="first"
          aria-label={t("Actions on {folder}", { folder: folder.name })}
          onAction={() => onOpenChange(false)}
        >
          <MenuItem className="option" onAction={() => ask("change")}>
            {t("Rename or move")}
          </MenuItem>
          <MenuItem className="option" onAction={() => ask("remove")}>
            {t("Delete")}
          </MenuItem>
        </Menu>
      </Popover>
      {asked !== null && (
        <Suspense fallback={null}>
          <FolderDialog what={asked} id={folder.id} onClose={() => ask(null)} />
        </Suspense>
      )}
    </>
  );
};
